import { systemClock } from '../../../core/base/clock.ts';
import { createConversation } from '../../../core/conversations/messages/store-message.ts';
import { Visitors } from '../../../core/visitors/visitors.ts';
import { addTestChannel } from './add-test-channel.ts';
import { openTestDatabase } from './databases/test-databases.ts';
import { testStores } from './test-stores.ts';

/** A shop with a widget, and who comes to it, on a database of the test file's own. */
export async function openTestVisitors(engine: 'embedded' | 'postgres') {
  const database = await openTestDatabase(engine);
  const { kysely } = database;
  const visitors = new Visitors({ database: kysely, clock: systemClock });
  const { workspace } = await testStores(database, systemClock).workspaces.create({ name: 'Shop' });
  const workspaceId = workspace.id;
  const channelId = await addTestChannel(kysely, { workspaceId, channel: 'widget' });
  const arrive = () => visitors.open({ workspaceId, channelId, verified: null, token: null });
  const begin = (visitorId: string) =>
    kysely.transaction().execute((transaction) =>
      createConversation(transaction, {
        workspaceId,
        channel: 'widget',
        sessionId: visitorId,
        customer: null,
        now: new Date(),
      }),
    );
  return { database, visitors, workspaceId, channelId, arrive, begin };
}
