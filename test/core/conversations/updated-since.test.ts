import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { Inbox } from '../../../core/conversations/inbox/inbox.ts';
import { storeFeedback } from '../../../core/conversations/messages/feedback.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { explainStatements } from '../../helpers/stores/databases/explain-statements.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { fillConversations } from '../../helpers/stores/inbox/fill-conversations.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

describe.each(testEngines)('conversations that were updated since, on %s', async (engine) => {
  const { database, inbox, say, pass, time, makeWorkspace, user } = await openTestInbox(engine);
  const { kysely } = database;
  const list = async (
    workspace: Workspace,
    updatedSince: Date,
    page: { limit: number; cursor?: string | undefined },
  ) => {
    const wanted = {
      workspace,
      filters: { updated_since: updatedSince.toISOString() },
      page: { cursor: undefined, ...page },
    };
    const { items, nextCursor } = await inbox.list(wanted);
    return { ids: items.map(({ id }) => id), nextCursor };
  };
  const updatedAt = async (id: string) =>
    (
      await kysely
        .selectFrom('conversation')
        .select('updated_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).updated_at;
  const answerIn = async (id: string) => {
    const { items } = await inbox.messages(user, id, { limit: 5, cursor: undefined, order: 'asc' });
    return items.find(({ role }) => role === 'assistant')?.id ?? '';
  };
  const judge = async (workspace: Workspace, conversationId: string) => {
    const opinion = { workspaceId: workspace.id, conversationId, messageId: await answerIn(conversationId) };
    const given = { ...opinion, value: 'up', comment: null, now: time.now } as const;
    await kysely.transaction().execute((transaction) => storeFeedback(transaction, given));
  };

  test('updates its conversation, and no other one, with each message, change, note and rating', async () => {
    const workspace = await makeWorkspace();
    const workspaceId = workspace.id;
    const id = await say({ workspaceId });
    const other = await say({ workspaceId });
    expect(await updatedAt(id)).toEqual(time.now);
    const before = await updatedAt(other);
    const updates = [
      () => say({ workspaceId, conversationId: id }),
      () => inbox.change(user, id, { priority: 'high' }),
      () => inbox.change(user, id, { notes: [{ content: 'Called back', authorEmail: undefined }] }),
      () => judge(workspace, id),
    ];
    for (const update of updates) {
      pass(1_000);
      await update();
      expect(await updatedAt(id)).toEqual(time.now);
    }
    pass(-60_000);
    await inbox.change(user, id, { priority: 'low' });
    expect((await updatedAt(id)).getTime()).toBe(time.now.getTime() + 60_000);
    expect(await updatedAt(other)).toEqual(before);
  });

  test('returns every conversation despite messages, changes and new conversations between pages', async () => {
    const workspace = await makeWorkspace();
    const workspaceId = workspace.id;
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      pass(90_000);
      ids.unshift(await say({ workspaceId }));
    }
    pass(3_600_000);
    const since = time.now;
    const updated = ids.filter((_, place) => place !== 3);
    for (const id of updated) await inbox.change(user, id, { priority: 'high' });
    const first = await list(workspace, since, { limit: 3 });
    pass(1_000);
    await say({ workspaceId, conversationId: updated[4] ?? '' });
    await inbox.change(user, updated[5] ?? '', { tags: ['vip'] });
    await say({ workspaceId });
    const second = await list(workspace, since, { limit: 3, cursor: first.nextCursor ?? undefined });
    await judge(workspace, updated[6] ?? '');
    const third = await list(workspace, since, { limit: 3, cursor: second.nextCursor ?? undefined });
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(updated);
    expect(third.nextCursor).toBeNull();
  });

  test('reads only rows of its own workspace, by indexes', async () => {
    const workspaces = [];
    for (let count = 0; count < 6; count += 1) {
      const workspace = await makeWorkspace();
      workspaces.push(workspace);
      await fillConversations(database.pool, {
        workspaceId: workspace.id,
        conversations: 900,
        messages: 2,
        changed: 9,
      });
    }
    await sql`analyze conversation, message, audit_entry`.execute(kysely);
    const workspace = workspaces[2] ?? (await makeWorkspace());
    const updatedSince = new Date(Date.now() - 12 * 60_000);
    let found = 0;
    const reads = await explainStatements(database.pool, async (recorded) => {
      const page = { limit: 100, cursor: undefined };
      const wanted = { workspace, filters: { updated_since: updatedSince.toISOString() }, page };
      const { items } = await new Inbox({ database: recorded, clock: { now: () => new Date() } }).list(
        wanted,
      );
      found = items.length;
    });
    expect(found).toBeGreaterThan(9);
    expect(found).toBeLessThan(30);
    expect(reads.map(({ table }) => table)).toEqual(expect.arrayContaining(['conversation']));
    expect(reads.filter(({ how }) => how === 'Seq Scan')).toEqual([]);
    expect(reads.filter(({ table }) => table !== 'conversation')).toEqual([]);
    // The plan reads the 400 latest conversations of the workspace, and the updated ones.
    expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(400);
    expect(reads.map(({ index }) => index)).toContain('conversation_updated');
  });
});
