import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { operate } = server;
const workspace = await server.makeWorkspace({ name: 'Acme' });
const { owner: ownerId } = workspace;
const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'agent', ownerId });
await signInPerson(server, { email: 'ben@acme.example', role: 'agent', ownerId });
const other = await server.makeWorkspace({ name: 'Other' });
await signInPerson(server, { email: 'eve@other.example', role: 'agent', ownerId: other.owner });
const annId = String((await ann.call('GET', '/admin/v1/me')).json().person.id);

const begin = async (customer?: object) => {
  const body = { query: 'Is anybody there?', session_id: crypto.randomUUID(), ...(customer && { customer }) };
  return String((await server.query(workspace.key, body)).json().conversation_id);
};
const pathOf = (id: string) => `/workspaces/${workspace.id}/conversations/${id}`;
const replyAs = (id: string, body: object) => ann.call('POST', `/admin/v1${pathOf(id)}/reply`, body);
const lastOf = async (id: string) => {
  const { entries } = (await operate('GET', `${pathOf(id)}/messages`)).json();
  return entries.filter(({ kind }: { kind: string }) => kind === 'message').at(0);
};

describe('the author of a reply', () => {
  test('is the person who is signed in, by id, and nobody whom they state', async () => {
    const id = await begin();
    for (const author_email of ['ben@acme.example', 'ceo@bank.example']) {
      const refused = await replyAs(id, { content: 'Trust me.', author_email });
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'permission_denied']);
    }
    expect((await lastOf(id)).message.role).not.toBe('agent');
    expect((await replyAs(id, { content: 'Hello.', author_email: 'Ann@acme.example' })).statusCode).toBe(201);
    expect((await replyAs(id, { content: 'Hello again.' })).json().author).toBe('ann@acme.example');
    expect(await lastOf(id)).toMatchObject({ author_id: annId, author_name: 'ann' });
  });

  test('is as stated with the operator’s token, without an id, and named if it is a member', async () => {
    const id = await begin();
    for (const [author_email, author_name] of [
      ['ben@acme.example', 'ben'],
      ['eve@other.example', null],
      ['joe@desk.example', null],
    ]) {
      expect(
        (await operate('POST', `${pathOf(id)}/reply`, { content: 'Hi.', author_email })).statusCode,
      ).toBe(201);
      expect(await lastOf(id)).toMatchObject({
        author_id: null,
        author_name,
        message: { author: author_email },
      });
    }
  });

  test('stays the same person when they change their name', async () => {
    const id = await begin();
    await replyAs(id, { content: 'Hello.' });
    await ann.call('PATCH', '/admin/v1/me', { name: 'Ann Lee' });
    expect(await lastOf(id)).toMatchObject({ author_id: annId, author_name: 'Ann Lee' });
    await ann.call('PATCH', '/admin/v1/me', { name: 'ann' });
  });
});

test.each(['Operator', 'ѕystem', 'Par ley'])('nobody can call themselves %s', async (name) => {
  const refused = await ann.call('PATCH', '/admin/v1/me', { name });
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'reserved_name']);
});

test.each(['Ann\u2028Bcc: all', 'see https://evil.example', '\u202enna', 'x'.repeat(81)])(
  'nobody can have the name %j',
  async (name) => {
    expect((await ann.call('PATCH', '/admin/v1/me', { name })).json().code).toBe('invalid_name');
  },
);

test('a workspace has no name that is a link, and an API key none of two lines', async () => {
  const renamed = await operate('PATCH', `/workspaces/${workspace.id}`, { name: 'Win at www.evil.example' });
  expect(renamed.json().code).toBe('invalid_name');
  const key = await operate('POST', `/workspaces/${workspace.id}/keys`, { name: 'a\nb' });
  expect(key.json().code).toBe('invalid_name');
});

test('the list of the inbox tells stated addresses from proven ones', async () => {
  const id = await begin();
  await server.runtime.database.kysely
    .updateTable('conversation')
    .set({ customer_email: 'ceo@bank.example', customer_email_verified: false })
    .where('id', '=', id)
    .execute();
  const rowOf = async (conversation: string) => {
    const { conversations } = (await operate('GET', `/workspaces/${workspace.id}/conversations`)).json();
    return conversations.find((row: { id: string }) => row.id === conversation).customer;
  };
  expect(await rowOf(id)).toMatchObject({ email: 'ceo@bank.example', email_verified: false });
  expect(await rowOf(await begin())).toMatchObject({ email: null, email_verified: null });
});
