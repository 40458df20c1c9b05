import { Conversations } from '../../../../core/conversations/conversations.ts';
import { Inbox } from '../../../../core/conversations/inbox/inbox.ts';
import type { StoredTurn, Turn } from '../../../../core/conversations/messages/turn.ts';
import type { Companion } from '../../../../core/storage/companion.ts';
import { plainTurn } from '../../models/plain-turn.ts';
import { openTestDatabase } from '../databases/test-databases.ts';
import { testStores } from '../test-stores.ts';

/** Conversations of one owner on a database of the test file's own, at a time that the test sets. */
export async function openTestInbox(engine: 'embedded' | 'postgres') {
  const database = await openTestDatabase(engine);
  // Long ago: tests let years pass, and the database stores no time that it has not reached.
  const time = { now: new Date('2020-03-01T10:00:00Z') };
  const clock = { now: () => time.now };
  const stores = testStores(database, clock);
  const conversations = new Conversations({ database: database.kysely, clock });
  const owner = 'own_me';
  const makeWorkspace = async (settings = {}) =>
    (await stores.workspaces.create({ name: 'Test', owner, settings })).workspace;
  const workspace = await makeWorkspace();
  return {
    ...stores,
    database,
    clock,
    time,
    workspace,
    makeWorkspace,
    inbox: new Inbox({ database: database.kysely, clock }),
    user: { ownerId: owner, name: 'Website' },
    /** Lets so many milliseconds pass. */
    pass(ms: number) {
      time.now = new Date(time.now.getTime() + ms);
    },
    /** A visitor's question with its answer; the id of the conversation. */
    async say(turn: Partial<Turn> = {}, beside?: (stored: StoredTurn) => Companion): Promise<string> {
      return (await conversations.storeTurn(plainTurn(workspace.id, turn), beside)).conversationId;
    },
    /** Sets columns as no operation would. */
    async alter(id: string, columns: object) {
      await database.kysely.updateTable('conversation').set(columns).where('id', '=', id).execute();
    },
  };
}
