import { describe, expect, test } from 'vitest';
import { readTimeline } from '../../../core/inbox/read.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

describe.each(testEngines)('the time line on %s', async (engine) => {
  const { inbox, say, time, user, workspace, database } = await openTestInbox(engine);

  test('has what came last on top, also from a process with a fast clock', async () => {
    time.now = new Date(Date.now() + 600_000);
    const id = await say();
    await inbox.addNote(user, id, { content: 'Call back.' });
    await inbox.change(user, id, { status: 'resolved' });
    await say({ conversationId: id });
    const { items } = await readTimeline(database.kysely, workspace.id, id, { limit: 50 });
    const kinds = items.map((entry) => (entry.kind === 'message' ? entry.message.role : entry.kind));
    expect(kinds).toEqual(['assistant', 'user', 'change', 'change', 'note', 'assistant', 'user']);
  });
});
