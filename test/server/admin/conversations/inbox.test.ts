import { expect, test } from 'vitest';
import { createAccountFinder } from '../../../../core/channels/accounts/channel-accounts.ts';
import { runActionBatch } from '../../../../core/inbox/bulk-batch.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { runtime } = server;
const workspace = await server.makeWorkspace({ name: 'Acme', plan: 'growth' });
const { id: workspaceId, owner: ownerId } = workspace;
const base = `/admin/v1/workspaces/${workspaceId}`;
const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });
const ben = await signInPerson(server, { email: 'ben@acme.example', role: 'agent', ownerId });
await server.addDocument(workspaceId, 'You can return a box within 30 days. Parcels arrive in two days.');

async function idOf(person: typeof ann): Promise<string> {
  return (await person.call('GET', '/admin/v1/me')).json().person.id;
}

async function ask(query: string, conversationId?: string): Promise<string> {
  const answer = await server.query(workspace.key, { query, conversation_id: conversationId });
  return answer.json().conversation_id;
}

async function escalated(query: string): Promise<string> {
  const id = await ask(query);
  await ann.call('PATCH', `${base}/conversations/${id}`, { status: 'escalated' });
  return id;
}

test('a list shows what was last said, who waits and what is unread', async () => {
  const id = await escalated('Can I return two boxes?');
  const list = await ann.call('GET', `${base}/conversations?view=waiting`);
  const row = list.json().conversations.find((one: { id: string }) => one.id === id);
  expect(row).toMatchObject({ status: 'escalated', unread: 1, has_draft: false, assignee: null });
  expect(row.last_line).toMatchObject({ role: 'assistant' });
  expect(row.waiting_since).not.toBeNull();
});

test.each([
  'view=mine',
  'view=unread',
  'view=sla_at_risk',
  'view=snoozed',
  'view=low_confidence',
  'view=open',
  'view=resolved',
  'view=all',
  'status=open&status=claimed',
  'channel=api',
  'assignee=me',
  'assignee=none',
  'tag=vip',
  'priority=high',
  'unread=true',
  'unread=false',
  'waiting=true',
  'waiting=false',
  'has_draft=true',
  'has_draft=false',
  'q=boxes',
  'email=a%2Bb@x.example',
  'customer=ann',
  'since=2020-01-01',
  'until=2030-01-01',
  'sort=waiting',
  'sort=sla_due',
  'sort=latest&limit=1',
])('a list takes %s', async (query) => {
  const list = await ben.call('GET', `${base}/conversations?${query}`);
  expect([list.statusCode, list.json().code]).toEqual([200, undefined]);
});

test('every view and saved view has its count in one call', async () => {
  const made = await ann.call('POST', `${base}/views`, {
    name: 'Returns',
    filters: { q: 'boxes' },
    shared: true,
  });
  const { id } = made.json();
  const counts = (await ben.call('GET', `${base}/conversation-counts`)).json();
  expect(counts.saved).toEqual({ [id]: 1 });
  expect(counts.views).toMatchObject({ waiting: 1, unread: 1, all: 1, mine: 0 });
  expect((await ben.call('PATCH', `${base}/views/${id}`, { place: 3 })).json().place).toBe(3);
  expect((await ben.call('GET', `${base}/views`)).json().views).toHaveLength(1);
  expect((await ben.call('DELETE', `${base}/views/${id}`)).statusCode).toBe(204);
});

test('a conversation is read, seen, drafted in, noted and changed', async () => {
  const id = await escalated('When does my parcel arrive?');
  const url = `${base}/conversations/${id}`;
  expect((await ben.call('PUT', `${url}/draft`, { content: 'In two' })).json().content).toBe('In two');
  expect((await ben.call('PUT', `${url}/seen`, {})).json()).toEqual({ position: 1 });
  const benId = await idOf(ben);
  const note = await ann.call('POST', `${url}/notes`, { content: 'Look', mentions: [benId] });
  expect(note.json()).toMatchObject({ content: 'Look', mentions: [benId] });
  const noteUrl = `${url}/notes/${note.json().id}`;
  expect((await ben.call('PATCH', noteUrl, { content: 'Mine' })).json().code).toBe('not_your_note');
  expect((await ann.call('PATCH', noteUrl, { content: 'Look here' })).json().content).toBe('Look here');
  const changed = await ann.call('PATCH', url, { assignee_id: benId, tags: ['vip'], priority: 'high' });
  expect(changed.json()).toMatchObject({ assignee: { id: benId }, tags: ['vip'], priority: 'high' });
  const opened = await ben.call('GET', `${url}?audit=true`);
  expect(opened.json()).toMatchObject({
    seen_position: 1,
    drafts: [{ kind: 'reply', content: 'In two' }],
    message_count: 2,
  });
  expect(opened.json().audit_log.length).toBeGreaterThan(3);
  const { entries } = (await ben.call('GET', `${url}/messages`)).json();
  expect(entries.map(({ kind }: { kind: string }) => kind)).toContain('note');
  expect((await ann.call('DELETE', noteUrl)).statusCode).toBe(204);
  expect((await ben.call('DELETE', `${url}/draft`)).statusCode).toBe(204);
  const suggestion = (await ben.call('POST', `${url}/suggestion`)).json();
  expect(suggestion.text).toContain('two days');
});

test('a reply after unseen messages is refused with them, and the same request sends once', async () => {
  const id = await escalated('A person please');
  const url = `${base}/conversations/${id}`;
  const { entries } = (await ann.call('GET', `${url}/messages`)).json();
  const seen = entries.find(({ kind }: { kind: string }) => kind === 'message').message.id;
  const first = await ann.call('POST', `${url}/reply`, { content: 'Hello', after_message_id: seen });
  expect(first.statusCode).toBe(201);
  const second = await ben.call('POST', `${url}/reply`, { content: 'Hi', after_message_id: seen });
  expect([second.statusCode, second.json().code]).toEqual([409, 'conversation_moved_on']);
  expect(second.json().new_messages).toMatchObject([{ id: first.json().id, content: 'Hello' }]);
});

test('people switch whether they are available', async () => {
  const { agents } = (await ben.call('PUT', `${base}/availability`, { available: true })).json();
  const availability = agents.map(({ name, available }: { name: string; available: boolean }) => [
    name,
    available,
  ]);
  expect(availability).toEqual([
    ['ann', false],
    ['ben', true],
  ]);
  expect((await ann.call('GET', `${base}/agents`)).json().agents).toHaveLength(2);
});

test('a bulk action changes what matched, shows progress and is undone', async () => {
  const started = await ben.call('POST', `${base}/conversation-actions`, {
    filters: { view: 'all' },
    change: { add_tags: ['bulk'] },
  });
  const { id, total } = started.json();
  const url = `${base}/conversation-actions/${id}`;
  const stores = { ...runtime, database: runtime.database.kysely, findAccount: createAccountFinder(runtime) };
  while (await runActionBatch(stores, id)) {}
  expect((await ben.call('GET', url)).json()).toMatchObject({ status: 'done', done: total, changed: total });
  await ben.call('POST', `${url}/undo`);
  while (await runActionBatch(stores, id)) {}
  expect((await ben.call('GET', url)).json()).toMatchObject({ status: 'undone', undone: total });
  expect((await ben.call('GET', `${base}/conversations?tag=bulk`)).json().conversations).toEqual([]);
  expect((await ben.call('POST', `${url}/abort`)).json().status).toBe('undone');
});

test('a customer is found by any part of their present name, address or number', async () => {
  const id = await ask('Where is my box?');
  const finds = async (part: string) => {
    const list = await ann.call('GET', `${base}/conversations?customer=${encodeURIComponent(part)}`);
    return list.json().conversations.map((one: { id: string }) => one.id);
  };
  const rename = (name: string | null, phone: string | null) =>
    runtime.database.pool.query(
      'update conversation set customer_name = $2, customer_phone = $3 where id = $1',
      [id, name, phone],
    );
  await rename('Zoë Öztürk', '+4915112345');
  for (const part of ['öZTÜ', 'Zoë Ö', 'zo', 'k +49', '1511']) expect(await finds(part)).toEqual([id]);
  expect(await finds('Zoë Ozt')).toEqual([]);
  await rename('Mia', null);
  expect([await finds('Öztürk'), await finds('mia')]).toEqual([[], [id]]);
  await rename(null, null);
  expect(await finds('mia')).toEqual([]);
});

test('a resolved conversation that its visitor continues is back in the views of its agent, unread', async () => {
  const id = await escalated('Is the lamp in stock?');
  await ann.call('PATCH', `${base}/conversations/${id}`, { assignee_id: await idOf(ben) });
  await ben.call('PUT', `${base}/conversations/${id}/seen`, {});
  await ben.call('PATCH', `${base}/conversations/${id}`, { status: 'resolved' });
  const views = () =>
    Promise.all(
      ['mine', 'unread'].map(async (view) => {
        const list = await ben.call('GET', `${base}/conversations?view=${view}`);
        return list.json().conversations.some((one: { id: string }) => one.id === id);
      }),
    );
  expect(await views()).toEqual([false, false]);
  await ask('And in green?', id);
  expect(await views()).toEqual([true, true]);
});
