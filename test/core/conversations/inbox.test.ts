import { describe, expect, test } from 'vitest';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

describe.each(testEngines)('the inbox on %s', async (engine) => {
  const { inbox, say, pass, time, user, workspace, workspaces, database } = await openTestInbox(engine);
  const stranger = { ownerId: 'own_other', name: 'Stranger' };

  test('makes and records each of several concurrent changes', async () => {
    const id = await say();
    await Promise.all([
      inbox.change(user, id, { status: 'escalated' }),
      inbox.change(user, id, { tags: ['vip'] }),
      inbox.change(user, id, { priority: 'high' }),
      inbox.addNote(user, id, { content: 'Call back.' }),
    ]);
    const view = await inbox.get(user, id);
    expect(view).toMatchObject({ status: 'escalated', tags: ['vip'], priority: 'high' });
    expect(view.auditLog.map(({ action }) => action).sort()).toEqual([
      'note_added',
      'priority_changed',
      'status_changed',
      'tags_changed',
    ]);
  });

  test('makes no change if its event cannot be stored', async () => {
    const id = await say();
    const nameless = { ...user, name: '\0' };
    await expect(inbox.change(nameless, id, { priority: 'high' })).rejects.toThrow();
    expect(await inbox.get(user, id)).toMatchObject({ priority: 'normal', auditLog: [] });
  });

  test('makes no part of a change if one part is invalid', async () => {
    const id = await say();
    const change = { priority: 'high', snoozeUntil: time.now, notes: [{ content: 'Later.' }] } as const;
    await expect(inbox.change(user, id, change)).rejects.toMatchObject({ code: 'invalid_snooze_until' });
    expect(await inbox.get(user, id)).toMatchObject({ priority: 'normal', notes: [], auditLog: [] });
  });

  test('keeps the order of audit entries with the same time', async () => {
    const id = await say();
    for (let count = 1; count <= 20; count += 1) await inbox.change(user, id, { tags: [`${count}`] });
    const { auditLog } = await inbox.get(user, id);
    expect(auditLog.map(({ details }) => details.to)).toEqual(
      Array.from({ length: 20 }, (_, index) => [`${index + 1}`]),
    );
  });

  test('ends the snooze when a message reopens a conversation, and records the visitor as the actor', async () => {
    const id = await say();
    await inbox.change(user, id, { status: 'escalated' });
    await inbox.change(user, id, { status: 'resolved' });
    pass(1_000);
    await say({ conversationId: id });
    const view = await inbox.get(user, id);
    expect(view).toMatchObject({ status: 'open', resolvedAt: null, messageCount: 4 });
    expect(view.auditLog.at(-1)).toMatchObject({
      actor: 'visitor',
      details: { from: 'resolved', to: 'open' },
    });
    await inbox.change(user, id, { status: 'claimed' });
    const row = await database.kysely
      .selectFrom('conversation')
      .select(['handover_since', 'unanswered_since'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ handover_since: time.now, unanswered_since: time.now });
  });

  test('pages through messages in both directions without gaps or repetitions, despite new messages', async () => {
    const id = await say({ question: '0' });
    for (let count = 1; count < 5; count += 1) await say({ conversationId: id, question: `${count}` });
    for (const order of ['asc', 'desc'] as const) {
      const before = (await inbox.get(user, id)).messages.map((message) => message.id);
      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null && seen.length < before.length; ) {
        const page = await inbox.messages(user, id, { limit: 3, order, cursor });
        seen.push(...page.items.map((message) => message.id));
        cursor = page.nextCursor;
        await say({ conversationId: id });
      }
      expect(seen.slice(0, before.length)).toEqual(order === 'asc' ? before : before.toReversed());
    }
  });

  test('pages through the audit log, latest first, without gaps or repetitions', async () => {
    const id = await say();
    for (const tag of ['1', '2', '3', '4', '5']) {
      pass(1);
      await inbox.change(user, id, { tags: [tag] });
    }
    const first = await inbox.auditLog(workspace.id, id, { limit: 3 });
    await inbox.change(user, id, { priority: 'low' });
    const second = await inbox.auditLog(workspace.id, id, { limit: 3, cursor: first.nextCursor ?? '' });
    const tags = [...first.items, ...second.items].map(({ details }) => details.to);
    expect([tags, second.nextCursor]).toEqual([[['5'], ['4'], ['3'], ['2'], ['1']], null]);
  });

  test('reports conversation_not_found for every operation on an inaccessible conversation', async () => {
    const id = await say();
    const { workspace: free } = await workspaces.create({ name: 'Free', owner: user.ownerId });
    const { workspace: gone } = await workspaces.create({ name: 'Gone', owner: user.ownerId });
    await workspaces.update(free.id, { plan: 'free' });
    const [ofFree, ofGone] = [await say({ workspaceId: free.id }), await say({ workspaceId: gone.id })];
    await workspaces.delete(gone.id);
    const refusal = { code: 'conversation_not_found' };
    for (const [one, hidden] of [
      [stranger, id],
      [user, ofFree],
      [user, ofGone],
      [user, 'conv_none'],
    ] as const) {
      await expect(inbox.get(one, hidden)).rejects.toMatchObject(refusal);
      await expect(inbox.messages(one, hidden, { limit: 1, order: 'asc' })).rejects.toMatchObject(refusal);
      await expect(inbox.addNote(one, hidden, { content: 'Hello' })).rejects.toMatchObject(refusal);
      await expect(inbox.change(one, hidden, { priority: 'low' })).rejects.toMatchObject(refusal);
      await expect(inbox.delete(one, hidden)).rejects.toMatchObject(refusal);
    }
    expect(await inbox.get(user, id)).toMatchObject({ priority: 'normal', notes: [], auditLog: [] });
  });
});
