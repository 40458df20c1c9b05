import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, pass, time } = await openConversationServer();
const patch = async (id: string, payload: object) => {
  const response = await call('PATCH', `/conversations/${id}`, { payload });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

test('returns the conversation as it is read afterwards', async () => {
  const id = await say();
  const changed = await patch(id, {
    status: 'resolved',
    tags: [' vip ', 'late', 'vip'],
    priority: 'urgent',
    customer: { email: 'jane@example.com', phone: '+41 44 000 00 00' },
    internal_notes: [{ content: 'One' }, { content: 'Two', author_email: 'ann@shop.example' }],
  });
  expect(changed).toMatchObject({
    status: 'resolved',
    resolved_at: time.now.toISOString(),
    tags: ['vip', 'late'],
    priority: 'urgent',
    customer: { email: 'jane@example.com', email_verified: false, name: null, phone: '+41 44 000 00 00' },
    internal_notes: [
      { content: 'One', author: 'Test' },
      { content: 'Two', author: 'ann@shop.example' },
    ],
    message_count: 2,
  });
  expect(changed).toEqual((await call('GET', `/conversations/${id}`)).json());
});

test.each(['open', 'claimed', 'escalated', 'archived'])(
  'the status %s clears resolved_at',
  async (status) => {
    const id = await say();
    await patch(id, { status: 'resolved' });
    const changed = await patch(id, { status });
    expect(changed.status).toBe(status);
    expect(changed).not.toHaveProperty('resolved_at');
  },
);

test('a conversation that is resolved again keeps its first resolved_at', async () => {
  const id = await say();
  const { resolved_at } = await patch(id, { status: 'resolved' });
  pass(1_000);
  const again = await patch(id, { status: 'resolved' });
  expect([again.resolved_at, again.audit_log.length]).toEqual([resolved_at, 1]);
});

test('appends notes and replaces tags', async () => {
  const id = await say();
  await patch(id, { tags: ['one'], internal_notes: [{ content: 'One' }] });
  const changed = await patch(id, { tags: [], internal_notes: [{ content: 'Two' }] });
  expect(changed.tags).toEqual([]);
  expect(changed.internal_notes.map((note: { content: string }) => note.content)).toEqual(['One', 'Two']);
});

test('null deletes a field of the customer, and a missing field is unchanged', async () => {
  const id = await say({
    customer: { email: 'jane@example.com', emailVerified: true, name: 'Jane', phone: null },
  });
  const { customer } = await patch(id, { customer: { email: null } });
  expect(customer).toEqual({ email: null, email_verified: null, name: 'Jane', phone: null });
});

test('an address from an agent is unverified, and an unchanged one stays verified', async () => {
  const id = await say({
    customer: { email: 'jane@example.com', emailVerified: true, name: 'Jane', phone: null },
  });
  const named = await patch(id, { customer: { email: 'jane@example.com', name: 'Jane Doe' } });
  expect(named.customer).toMatchObject({ name: 'Jane Doe', email_verified: true });
  const moved = await patch(id, { customer: { email: 'jane@new.example' } });
  expect(moved.customer).toMatchObject({ email: 'jane@new.example', email_verified: false });
});

test('a snooze has an end, which can be moved and is removed with the status', async () => {
  const id = await say();
  const until = '2026-03-05T08:00:00+01:00';
  const snoozed = await patch(id, { status: 'snoozed', snooze_until: until });
  expect([snoozed.status, snoozed.snooze_until]).toEqual(['snoozed', '2026-03-05T07:00:00.000Z']);
  expect((await patch(id, { snooze_until: '2026-03-06' })).snooze_until).toBe('2026-03-06T00:00:00.000Z');
  const opened = await patch(id, { status: 'open', snooze_until: null });
  expect([opened.status, opened.snooze_until]).toEqual(['open', null]);
});

test("a visitor's question reopens a resolved conversation, which is recorded", async () => {
  const id = await say();
  await patch(id, { status: 'resolved' });
  await say({ conversationId: id });
  const view = (await call('GET', `/conversations/${id}`)).json();
  expect(view.status).toBe('open');
  expect(view.audit_log.at(-1)).toMatchObject({
    action: 'status_changed',
    actor: 'visitor',
    details: { from: 'resolved', to: 'open' },
  });
});

test('ignores unknown fields', async () => {
  const id = await say();
  expect((await patch(id, { priority: 'low', colour: 'blue' })).priority).toBe('low');
});
