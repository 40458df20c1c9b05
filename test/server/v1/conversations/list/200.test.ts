import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, pass, time, workspace, makeWorkspace } = await openConversationServer();
const list = async (query: string, key?: string) => {
  const response = await call(
    'GET',
    `/conversations?workspace_id=${query}`,
    key === undefined ? {} : { key },
  );
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};

test('an item has the documented fields, and nulls for an anonymous visitor', async () => {
  const own = await makeWorkspace({ owner: workspace.owner });
  const id = await say({ workspaceId: own.id, channel: 'widget' });
  expect(await list(own.id)).toEqual({
    conversations: [
      {
        id,
        workspace_id: own.id,
        channel: 'widget',
        channel_id: null,
        status: 'open',
        priority: 'normal',
        started_at: time.now.toISOString(),
        last_message_at: time.now.toISOString(),
        snooze_until: null,
        message_count: 2,
        customer: { email: null, email_verified: null, name: null, phone: null },
        user_id: null,
        user_verified: false,
        session_id: null,
        metadata: null,
        tags: [],
        sla_state: 'in_compliance',
        test: false,
      },
    ],
    pagination: { next_cursor: null, has_more: false },
  });
});

test('a workspace without conversations has an empty list', async () => {
  const own = await makeWorkspace({ owner: workspace.owner });
  expect(await list(own.id)).toEqual({
    conversations: [],
    pagination: { next_cursor: null, has_more: false },
  });
});

test('returns twenty per page or the requested number, and the cursor leads to each of the others once', async () => {
  const own = await makeWorkspace({ owner: workspace.owner });
  const ids: string[] = [];
  for (let count = 0; count < 23; count += 1) {
    pass(1);
    ids.unshift(await say({ workspaceId: own.id }));
  }
  const first = await list(own.id);
  expect(first.pagination.has_more).toBe(true);
  const second = await list(`${own.id}&limit=2&cursor=${first.pagination.next_cursor}`);
  const third = await list(`${own.id}&limit=100&cursor=${second.pagination.next_cursor}`);
  const pages = [first, second, third].map((page) => page.conversations.map((one: { id: string }) => one.id));
  expect(pages).toEqual([ids.slice(0, 20), ids.slice(20, 22), ids.slice(22)]);
  expect(third.pagination).toEqual({ next_cursor: null, has_more: false });
});

test('every filter works, repeated tags must all match, and plus signs need no encoding', async () => {
  const own = await makeWorkspace({
    owner: workspace.owner,
    settings: { sla: { first_response_minutes: 10 } },
  });
  const customer = { email: 'jane+shop@example.com', emailVerified: false, name: 'Jane', phone: null };
  const id = await say({
    workspaceId: own.id,
    channel: 'slack',
    customer,
    question: 'Where is my Überraschung?',
  });
  pass(1);
  const startedBefore = time.now.toISOString();
  await say({ workspaceId: own.id });
  await call('PATCH', `/conversations/${id}`, { payload: { tags: ['vip', 'late'], status: 'escalated' } });
  pass(11 * 60_000);
  const filters = [
    'channel=slack',
    'status=escalated',
    'tag=vip',
    'tag=vip&tag=late',
    `until=${startedBefore}`,
    `since=2026-03-01&until=${startedBefore}`,
    `until=${startedBefore.replace('Z', '+00:00')}`,
    'q=uberraschung',
    `q=${encodeURIComponent('my überraschung')}`,
    'email=jane+shop@example.com',
    `email=${encodeURIComponent('JANE+shop@example.com')}`,
    'sla_state=breached',
    `q=where&tag=vip&tag=late&until=${startedBefore}&channel=slack&status=escalated&sla_state=breached`,
  ];
  for (const filter of filters) {
    const { conversations } = await list(`${own.id}&${filter}`);
    expect(
      conversations.map((one: { id: string }) => one.id),
      filter,
    ).toEqual([id]);
  }
  for (const filter of [
    'tag=vip&tag=other',
    'q=?!',
    'since=2026-03-02',
    'sla_state=at_risk',
    'channel=sms',
  ]) {
    expect((await list(`${own.id}&${filter}`)).conversations, filter).toEqual([]);
  }
});

test('a conversation breaches the SLA exactly to the minute', async () => {
  const own = await makeWorkspace({
    owner: workspace.owner,
    settings: { sla: { first_response_minutes: 10 } },
  });
  const id = await say({ workspaceId: own.id });
  await call('PATCH', `/conversations/${id}`, { payload: { status: 'claimed' } });
  const states = [];
  for (const minutes of [0, 8, 2, 1]) {
    pass(minutes * 60_000);
    states.push((await list(own.id)).conversations[0].sla_state);
  }
  expect(states).toEqual(['in_compliance', 'at_risk', 'at_risk', 'breached']);
});

test('a key lists every workspace of its owner', async () => {
  const own = await makeWorkspace({ owner: workspace.owner });
  const id = await say();
  const { conversations } = await list(workspace.id, own.key);
  expect(conversations[0].id).toBe(id);
});

test('ignores unknown parameters', async () => {
  const own = await makeWorkspace({ owner: workspace.owner });
  expect((await list(`${own.id}&colour=blue`)).conversations).toEqual([]);
});
