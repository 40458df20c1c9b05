import { expect, test } from 'vitest';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openConversationServer();
const { app, call, say, pass, operate, runtime, workspace } = server;
const other = await server.makeWorkspace();
const sibling = await runtime.workspaces.create({ name: 'Sibling', owner: workspace.owner });
const base = `/workspaces/${workspace.id}`;

const owner = await signInPerson(server, {
  email: 'ann@acme.example',
  role: 'owner',
  ownerId: workspace.owner,
});
const conversation = await say();
const times: string[] = [];
for (const email of ['ben@acme.example', 'cid@acme.example', 'dan@acme.example']) {
  pass(60_000);
  times.push(runtime.clock.now().toISOString());
  await owner.call('POST', `/admin/v1${base}/invitations`, { email, role: 'agent' });
}
pass(60_000);
await call('PATCH', `/conversations/${conversation}`, { payload: { priority: 'high' } });

const read = async (query = '', of = workspace.id) =>
  (await operate('GET', `/workspaces/${of}/audit-log${query}`)).json();
const actions = async (query = '', of = workspace.id): Promise<string[]> =>
  (await read(query, of)).audit_log.map(({ action }: { action: string }) => action);

test('200: entries of the owner are in the log of each of their workspaces, those of conversations on demand', async () => {
  expect((await actions()).filter((action) => action === 'priority_changed')).toEqual([]);
  expect((await read('?conversations=true')).audit_log[0]).toMatchObject({
    action: 'priority_changed',
    conversation_id: conversation,
  });
  expect(await actions('?action=signed_in', sibling.workspace.id)).toEqual(['signed_in']);
  expect(await actions('', other.id)).toEqual(['key_created']);
});

test('200: filters by actor, action and time', async () => {
  expect(await actions('?action=member_invited')).toHaveLength(3);
  expect(await actions('?action=member_invited&actor=ann')).toHaveLength(3);
  expect(await actions('?actor=nobody')).toEqual([]);
  expect(await actions(`?action=member_invited&since=${times[1]}`)).toHaveLength(2);
  expect(await actions(`?action=member_invited&since=${times[1]}&until=${times[2]}`)).toHaveLength(1);
});

test('200: pages through entries of workspace and owner in one order, without gaps', async () => {
  const whole = (await read('?limit=100&conversations=true')).audit_log.map(({ id }: { id: string }) => id);
  const paged: string[] = [];
  for (let query = '?limit=2&conversations=true', more = true; more; ) {
    const { audit_log, pagination } = await read(query);
    paged.push(...audit_log.map(({ id }: { id: string }) => id));
    more = pagination.has_more;
    query = `?limit=2&conversations=true&cursor=${pagination.next_cursor}`;
  }
  expect(paged).toEqual(whole);
  expect(whole.length).toBeGreaterThan(4);
});

test('422: rejects a cursor of other filters, and filters that are none', async () => {
  const { pagination } = await read('?limit=1');
  const codes = [];
  for (const query of [
    `?limit=1&actor=ann&cursor=${pagination.next_cursor}`,
    '?action=Not%20one',
    '?conversations=yes',
    '?since=yesterday',
  ]) {
    codes.push((await read(query)).code);
  }
  expect(codes).toEqual(['invalid_cursor', 'invalid_action', 'invalid_conversations', 'invalid_since']);
});

test('the export has all entries that fit, and no cell that a spreadsheet computes', async () => {
  const evil = await signInPerson(server, {
    email: 'eve@acme.example',
    role: 'owner',
    ownerId: workspace.owner,
  });
  await evil.call('PATCH', '/admin/v1/me', { name: '=HYPERLINK("evil.example")' });
  for (let count = 0; count < 120; count += 1) {
    await evil.call('POST', `/admin/v1${base}/invitations`, {
      email: `p${count}@acme.example`,
      role: 'viewer',
    });
  }
  const headers = { authorization: `Bearer ${runtime.installation.adminToken}` };
  const url = `/admin/v1${base}/audit-log.csv?action=member_invited`;
  const exported = await app.inject({ url, headers });
  expect(exported.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(exported.headers['content-disposition']).toContain('audit-log.csv');
  const lines = exported.body.trim().split('\r\n');
  expect(lines).toHaveLength(1 + 123);
  expect(lines[1]).toContain(`"'=HYPERLINK(""evil.example"")"`);
});

test('tells persons apart from the operator’s token by their id, whatever they call themselves', async () => {
  const { id } = (await owner.call('GET', '/admin/v1/me')).json().person;
  // As from before such names were refused.
  const named = runtime.database.kysely.updateTable('person').set({ name: 'operator' });
  await named.where('id', '=', id).execute();
  await owner.call('POST', `/admin/v1${base}/snippets`, { name: 'forged', text: 'Hello' });
  await operate('POST', `${base}/snippets`, { name: 'real', text: 'Hello' });
  const { audit_log } = await read('?action=snippet_created');
  expect(audit_log).toMatchObject([
    { actor: 'operator', actor_id: null, details: { name: 'real' } },
    { actor: 'operator', actor_id: id, details: { name: 'forged' } },
  ]);
});

test('shows the sign-ins of members only to members of all workspaces', async () => {
  const limited = await signInPerson(server, {
    email: 'eva@acme.example',
    role: 'owner',
    ownerId: workspace.owner,
    workspaceIds: [workspace.id],
  });
  const log = (await limited.call('GET', `/admin/v1${base}/audit-log?action=signed_in`)).json();
  expect(log.audit_log).toEqual([]);
  expect(await actions('?action=signed_in')).toContain('signed_in');
});
