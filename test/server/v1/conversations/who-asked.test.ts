import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';

const { call, query, operate, runtime, workspace, makeWorkspace } = await openConversationServer();
const { workspaces, database } = runtime;

const hashFor = async (userId: string, workspaceId = workspace.id) => {
  const [secret = ''] = await workspaces.identitySecrets(workspaceId);
  return createHmac('sha256', secret).update(userId).digest('hex');
};
const ask = async (body: object) => (await query(workspace.key, { query: 'Is it open?', ...body })).json();
const read = async (id: string) => (await call('GET', `/conversations/${id}`)).json();
const find = async (filter: string) =>
  (await call('GET', `/conversations?workspace_id=${workspace.id}&${filter}`))
    .json()
    .conversations.map(({ id }: { id: string }) => id);

describe('who asked', () => {
  test('comes back in the conversation, its message, the list and the events', async () => {
    await operate('POST', `/workspaces/${workspace.id}/webhooks`, {
      url: 'https://shop.example/hook',
      events: ['*'],
    });
    const user = { user_id: 'cust-7', hash: await hashFor('cust-7') };
    const metadata = { order: 'A-1', page: { url: '/cart' } };
    const { conversation_id: id } = await ask({ session_id: 'sess-77', user, metadata });
    const who = { user_id: 'cust-7', user_verified: true, session_id: 'sess-77', metadata };
    const conversation = await read(id);
    expect(conversation).toMatchObject(who);
    expect(conversation.messages[0]).toMatchObject({ role: 'user', metadata });
    for (const filter of ['user_id=cust-7', 'session_id=sess-77', 'metadata[order]=A-1']) {
      expect([filter, await find(filter)]).toEqual([filter, [id]]);
    }
    const events = await database.kysely
      .selectFrom('webhook_delivery')
      .select(['event', 'data'])
      .where('conversation_id', '=', id)
      .execute();
    expect(events.map(({ event }) => event)).toContain('conversation.created');
    for (const { data } of events) expect(data).toMatchObject({ ...who, conversation_id: id });
  });

  test('is kept as stated without a proof, and then opens nothing', async () => {
    const user = { user_id: 'cust-8', name: 'Ada', email: 'ada@shop.example' };
    const { conversation_id: id } = await ask({ user });
    expect(await read(id)).toMatchObject({
      ...{ user_id: 'cust-8', user_verified: false },
      customer: { name: 'Ada', email: 'ada@shop.example', email_verified: false },
    });
    const proven = { ...user, hash: await hashFor('cust-8') };
    const own = await ask({ user: proven });
    const taken = await query(workspace.key, {
      ...{ query: 'And then?', conversation_id: own.conversation_id, user },
    });
    expect(taken.json().code).toBe('conversation_not_found');
    expect(new Set(await find('user_id=cust-8'))).toEqual(new Set([id, own.conversation_id]));
  });

  test('an address that is only stated never replaces a proven one', async () => {
    const user = { user_id: 'cust-9', hash: await hashFor('cust-9'), email: 'one@shop.example' };
    const { conversation_id: id } = await ask({ user });
    await database.kysely
      .updateTable('conversation')
      .set({ customer_email_verified: true, customer_user_id: null })
      .where('id', '=', id)
      .execute();
    await ask({ conversation_id: id, user: { user_id: 'liar', email: 'two@shop.example' } });
    expect((await read(id)).customer).toMatchObject({ email: 'one@shop.example', email_verified: true });
  });

  test('metadata of later messages counts, and PATCH sets and removes fields', async () => {
    const { conversation_id: id } = await ask({ metadata: { order: 'B-1', step: 1 } });
    await ask({ conversation_id: id, metadata: { step: 2 } });
    expect((await read(id)).metadata).toEqual({ order: 'B-1', step: 2 });
    const patch = (metadata: object) => call('PATCH', `/conversations/${id}`, { payload: { metadata } });
    const pp = await patch({ step: null, ticket: 'T-4' });
    expect(pp.json().metadata).toEqual({
      order: 'B-1',
      ticket: 'T-4',
    });
    expect((await patch({ long: 'x'.repeat(17_000) })).json().code).toBe('invalid_metadata');
    const { audit_log: log } = (await patch({ ticket: null, order: null })).json();
    expect(log.at(-1)).toMatchObject({
      action: 'metadata_changed',
      details: { fields: ['ticket', 'order'] },
    });
    expect((await read(id)).metadata).toBeNull();
  });

  test('metadata that outgrows 16 KB is that of the latest message', async () => {
    const long = 'x'.repeat(9_000);
    const { conversation_id: id } = await ask({ metadata: { first: long } });
    await ask({ conversation_id: id, metadata: { second: long } });
    expect((await read(id)).metadata).toEqual({ second: long });
  });

  test('nothing of another workspace is found', async () => {
    const other = await makeWorkspace();
    const { conversation_id: id } = await ask({ session_id: 'shared', metadata: { order: 'C-1' } });
    for (const filter of ['session_id=shared', 'metadata[order]=C-1']) {
      const found = await call('GET', `/conversations?workspace_id=${other.id}&${filter}`, {
        key: other.key,
      });
      expect([await find(filter), found.json().conversations]).toEqual([[id], []]);
    }
  });

  test('422: more than three fields, a field twice, and a field without a name', async () => {
    const filters = [
      'metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1',
      'metadata[a]=1&metadata[a]=2',
      'metadata=1',
    ];
    for (const filter of filters) {
      const answer = await call('GET', `/conversations?workspace_id=${workspace.id}&${filter}`);
      expect([filter, answer.json().code]).toEqual([filter, 'invalid_metadata']);
    }
  });
});
