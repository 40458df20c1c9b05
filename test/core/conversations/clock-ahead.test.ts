import { describe, expect, test } from 'vitest';
import { Conversations } from '../../../core/conversations/conversations.ts';
import { Inbox } from '../../../core/conversations/inbox/inbox.ts';
import { createConversation, storeMessage } from '../../../core/conversations/messages/store-message.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

const aheadMs = 10 * 60_000;
/** The maximum time that a stored time may be ahead of the database’s clock. */
const latest = () => Date.now() + 2_000;

describe.each(testEngines)('a process whose clock is ten minutes ahead, on %s', async (engine) => {
  const { database, makeWorkspace, user } = await openTestInbox(engine);
  const { kysely } = database;
  const process = (offsetMs: number) => {
    const clock = { now: () => new Date(Date.now() + offsetMs) };
    return {
      clock,
      inbox: new Inbox({ database: kysely, clock }),
      conversations: new Conversations({ database: kysely, clock }),
    };
  };
  const [right, ahead] = [process(0), process(aheadMs)];
  const rowOf = (id: string) =>
    kysely.selectFrom('conversation').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const lastSaid = async (id: string) =>
    (
      await kysely
        .selectFrom('message')
        .select('created_at')
        .where('conversation_id', '=', id)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
    ).created_at;

  const ids = async (
    inbox: Inbox,
    workspace: Awaited<ReturnType<typeof makeWorkspace>>,
    cursor?: string | null,
  ) => {
    const page = { limit: cursor === undefined ? 2 : 10, cursor: cursor ?? undefined };
    const { items, nextCursor } = await inbox.list({ workspace, filters: {}, page });
    return { ids: items.map(({ id }) => id), nextCursor };
  };

  test('stores no time that the database has not reached, and keeps its conversations in order', async () => {
    const workspace = await makeWorkspace();
    const turn = plainTurn(workspace.id);
    const { conversationId: early } = await ahead.conversations.storeTurn(turn);
    const { conversationId: late } = await right.conversations.storeTurn(turn);
    expect((await ids(right.inbox, workspace)).ids).toEqual([late, early]);
    await ahead.conversations.storeTurn({ ...turn, conversationId: early });
    await ahead.inbox.change(user, early, { priority: 'high' });
    const row = await rowOf(early);
    for (const at of [row.started_at, row.last_message_at, row.updated_at]) {
      expect(at.getTime()).toBeLessThan(latest());
    }
    expect(row.started_at.getTime()).toBeLessThanOrEqual(row.last_message_at.getTime());
    expect(await lastSaid(early)).toEqual(row.last_message_at);
    await right.conversations.storeTurn({ ...turn, conversationId: late });
    expect((await ids(right.inbox, workspace)).ids).toEqual([late, early]);
  });

  test('does the same for an agent’s message and an empty conversation', async () => {
    const workspace = await makeWorkspace();
    const now = ahead.clock.now();
    const id = await kysely.transaction().execute(async (transaction) => {
      const begun = { workspaceId: workspace.id, channel: 'widget', sessionId: 'one', customer: null, now };
      const conversationId = await createConversation(transaction, begun);
      const said = { role: 'user', content: 'Hello', metadata: null, author: null, now } as const;
      await storeMessage(transaction, { workspaceId: workspace.id, conversationId, ...said });
      return conversationId;
    });
    const row = await rowOf(id);
    expect(row.last_message_at.getTime()).toBeLessThan(latest());
    expect(row.started_at.getTime()).toBeLessThan(latest());
    expect(await lastSaid(id)).toEqual(row.last_message_at);
  });

  test('omits no conversation between the pages of a list', async () => {
    const workspace = await makeWorkspace();
    const turn = plainTurn(workspace.id);
    const said: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      said.unshift((await right.conversations.storeTurn(turn)).conversationId);
    }
    const first = await ids(ahead.inbox, workspace);
    await right.conversations.storeTurn({ ...turn, conversationId: said[3] ?? null });
    const second = await ids(ahead.inbox, workspace, first.nextCursor);
    // Turns of the same millisecond are listed in the order of their ids.
    expect([...first.ids, ...second.ids].toSorted()).toEqual(said.toSorted());
  });
});
