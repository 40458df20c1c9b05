import { describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../../core/workspaces/keys/api-keys.ts';
import { keyScopes } from '../../../core/workspaces/keys/key-scopes.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { readApi } from '../../helpers/servers/openapi/api-operations.ts';

const dayMs = 24 * 3_600_000;
const { app, runtime, operate, query, stream, makeWorkspace, addDocument } = await openTestServer();
const own = await makeWorkspace({ name: 'Shop' });
const sister = await makeWorkspace({ name: 'Sister', owner: own.owner });
await addDocument(own.id, 'Parcels are sent by noon and arrive on the next day.');

const makeKey = async (fields: Partial<NewApiKey> = {}) =>
  (
    await runtime.apiKeys.create(own.id, {
      name: 'App',
      scopes: keyScopes,
      rateLimitMinute: 1_000,
      ...fields,
    })
  ).value;
const testKey = await makeKey({ mode: 'test' });
const liveKey = await makeKey();

const call = (key: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload !== undefined && { payload }),
  });
const idsOf = async (key: string, filters = '', workspace = own.id) =>
  (await call(key, 'GET', `/v1/conversations?workspace_id=${workspace}&${filters}`))
    .json()
    .conversations.map(({ id }: { id: string }) => id);
const ask = async (key: string, text: string, more: object = {}) =>
  (await query(key, { query: text, ...more })).json();
const messages = async () => (await call(liveKey, 'GET', '/v1/me')).json().usage.messages;

test('a test key says so, also after a rotation', async () => {
  const made = (
    await operate('POST', `/workspaces/${own.id}/keys`, { name: 'CI', mode: 'test', scopes: ['query'] })
  ).json();
  expect(made).toMatchObject({ mode: 'test', key: expect.stringMatching(/^pk_test_[\w-]{43}$/) });
  const rotated = await operate('POST', `/workspaces/${own.id}/keys/${made.id}/rotate`, { grace_seconds: 0 });
  expect(rotated.json().key).toMatch(/^pk_test_/);
  expect((await call(rotated.json().key, 'GET', '/v1/me')).json().key.mode).toBe('test');
  expect((await call(liveKey, 'GET', '/v1/me')).json().key.mode).toBe('live');
  expect(liveKey).not.toContain('test');
});

describe('what a test key asks', () => {
  test('is answered from the same documents, and counts nothing', async () => {
    const before = await messages();
    const answer = await ask(testKey, 'When do parcels arrive?');
    expect(answer.answer).toContain('next day');
    expect((await stream(testKey, { query: 'When do parcels arrive?' })).body).toContain('"done":true');
    const chat = { model: 'parley', messages: [{ role: 'user', content: 'When do parcels arrive?' }] };
    expect((await call(testKey, 'POST', '/v1/chat/completions', chat)).statusCode).toBe(200);
    const repeated = await app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${testKey}`, 'idempotency-key': 'once' },
      payload: { query: 'When do parcels arrive?' },
    });
    expect(repeated.statusCode).toBe(200);
    const asked = await app.inject({
      method: 'POST',
      url: `/api/nlweb/${own.id}/mcp`,
      headers: { authorization: `Bearer ${testKey}`, accept: 'application/json, text/event-stream' },
      payload: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'ask', arguments: { query: 'When do parcels arrive?' } },
      },
    });
    expect(asked.body).toContain('next day');
    const listed = await operate('GET', `/workspaces/${own.id}/conversations`);
    expect(listed.json().conversations).toEqual([]);
    expect(await messages()).toBe(before);
  });

  test('is a conversation that test keys read, change and continue as others do', async () => {
    const first = await ask(testKey, 'When do parcels arrive?', { session_id: 'sess-1' });
    const path = `/v1/conversations/${first.conversation_id}`;
    const continued = await ask(testKey, 'And by when are they sent?', {
      ...{ conversation_id: first.conversation_id, session_id: 'sess-1' },
    });
    expect(continued.conversation_id).toBe(first.conversation_id);
    expect(await idsOf(testKey, 'q=parcels&session_id=sess-1')).toEqual([first.conversation_id]);
    const rated = await call(testKey, 'POST', `${path}/messages/${first.message_id}/feedback`, {
      value: 'up',
    });
    expect(rated.json().feedback.value).toBe('up');
    expect((await call(testKey, 'POST', `${path}/notes`, { content: 'Seen.' })).statusCode).toBe(201);
    const admin = `/admin${path.replace('/v1', `/v1/workspaces/${own.id}`)}`;
    const reply = { content: 'Tomorrow.', author_email: 'ann@example.com' };
    expect((await call(testKey, 'POST', `${admin}/reply`, reply)).statusCode).toBe(201);
    const changed = await call(testKey, 'PATCH', path, { tags: ['tried'] });
    expect(changed.json()).toMatchObject({ test: true, workspace_id: own.id, tags: ['tried'] });
    expect((await call(testKey, 'GET', path)).json().messages).toHaveLength(5);
    expect((await call(testKey, 'GET', `${path}/messages`)).json().messages).toHaveLength(5);
    expect((await call(testKey, 'DELETE', path)).statusCode).toBe(204);
    expect((await call(testKey, 'GET', path)).json().code).toBe('conversation_not_found');
  });

  test('is reached by test keys alone, and they reach nothing else', async () => {
    const [tested, live] = [
      (await ask(testKey, 'Do you sell socks?')).conversation_id,
      (await ask(liveKey, 'Do you sell socks?')).conversation_id,
    ];
    expect((await call(liveKey, 'GET', `/v1/conversations/${live}`)).json().test).toBe(false);
    const ownTest = await makeKey({ mode: 'test', workspaces: 'own' });
    for (const [key, other] of [
      [liveKey, tested],
      [await makeKey({ workspaces: 'own' }), tested],
      [testKey, live],
      [ownTest, live],
    ] as const) {
      expect(await idsOf(key)).not.toContain(other);
      const path = `/v1/conversations/${other}`;
      for (const [method, url, body] of [
        ...([
          ['GET', path],
          ['GET', `${path}/messages`],
          ['DELETE', path],
        ] as const),
        ...([['PATCH', path, { tags: ['x'] }]] as const),
        ...([['POST', `${path}/notes`, { content: 'x' }]] as const),
        ...([['POST', '/v1/query', { query: 'And hats?', conversation_id: other }]] as const),
      ] as const) {
        expect((await call(key, method, url, body)).json().code, `${method} ${url}`).toBe(
          'conversation_not_found',
        );
      }
      const reply = { content: 'x', author_email: 'ann@example.com' };
      const admin = `/admin/v1/workspaces/${own.id}/conversations/${other}/reply`;
      expect((await call(key, 'POST', admin, reply)).json().code).toBe('conversation_not_found');
    }
    const opened = await operate('GET', `/workspaces/${own.id}/conversations/${tested}`);
    expect(opened.json().code).toBe('conversation_not_found');
    expect(await idsOf(ownTest)).toContain(tested);
    expect(await idsOf(testKey, '', sister.id)).toEqual([]);
    const elsewhere = await ask(testKey, 'Do you sell socks?', { workspace_id: sister.id });
    expect(await idsOf(testKey, '', sister.id)).toEqual([elsewhere.conversation_id]);
    expect((await call(ownTest, 'GET', `/v1/conversations/${elsewhere.conversation_id}`)).statusCode).toBe(
      404,
    );
  });

  test('is stored about nobody but for test keys, and is erased with the person', async () => {
    const user = { user_id: 'cust-7', email: 'kim@example.com' };
    await ask(testKey, 'Do you sell socks?', { user });
    const about = `/admin/v1/workspaces/${own.id}/people?email=kim@example.com`;
    expect((await call(liveKey, 'GET', about)).json().conversations).toEqual([]);
    expect((await call(testKey, 'GET', about)).json().conversations).toHaveLength(1);
    const erased = await operate('DELETE', `/workspaces/${own.id}/people?email=kim@example.com`);
    expect(erased.json().counts).toMatchObject({ conversations: 1, messages: 2 });
    expect((await call(testKey, 'GET', about)).json().conversations).toEqual([]);
  });
});

describe('people, reports and webhooks', async () => {
  const { operations } = readApi((await app.inject({ method: 'GET', url: '/openapi.json' })).json());
  /** Everything that an operator reads of a workspace or of the installation, without ids of what is in it. */
  const lists = operations
    .filter(({ method, path }) => method === 'get' && path.startsWith('/admin/v1/'))
    .filter(({ path }) => !path.replace('{workspace_id}', '').includes('{'))
    .filter(({ responses }) => responses[200]?.content['text/event-stream'] === undefined);
  const today = new Date().toISOString().slice(0, 10);
  const more = [
    ...['audit-log?conversations=true', 'answers?confidence=low', 'conversations?q=walrus'],
    ...['conversations?view=waiting', 'conversations?tag=walrus', 'conversations?status=escalated'],
  ];
  const paths = [
    ...lists.map(({ path }) => {
      const url = path.replace('{workspace_id}', own.id);
      return path.includes('/insights') ? `${url}?from=${today}&to=${today}&by=hour&counts=ended` : url;
    }),
    ...more.map((path) => `/admin/v1/workspaces/${own.id}/${path}`),
  ];
  const later = (ms: number) => ({ now: () => new Date(Date.now() + ms) });
  const maintain = (ms: number) =>
    runMaintenance({ ...runtime, clock: later(ms) }, new AbortController().signal);
  const readAll = async () => {
    await maintain(11 * 60_000);
    const answers = new Map<string, string>();
    for (const url of paths) {
      const answer = await app.inject({
        method: 'GET',
        url,
        headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
      });
      answers.set(url, `${answer.statusCode} ${answer.body.replaceAll(/"request_id":"\w+"/g, '')}`);
    }
    return answers;
  };

  test('learn nothing of a test that reaches for people, and all of it if it is live', async () => {
    const hook = { url: 'https://hooks.example/parley', events: ['*'] };
    const { id: hookId } = (await operate('POST', `/workspaces/${own.id}/webhooks`, hook)).json();
    paths.push(`/admin/v1/workspaces/${own.id}/webhooks/${hookId}/deliveries`);
    const happens = async (key: string) => {
      const asked = await ask(key, 'Where does the walrus live?');
      const found = await ask(key, 'When do parcels arrive?');
      await ask(key, 'I want to speak to a human about the walrus', {
        conversation_id: asked.conversation_id,
      });
      const path = `/v1/conversations/${asked.conversation_id}`;
      await call(key, 'POST', `${path}/messages/${found.message_id}/feedback`, { value: 'down' });
      const rated = `/v1/conversations/${found.conversation_id}/messages/${found.message_id}/feedback`;
      await call(key, 'POST', rated, { value: 'down' });
      await call(key, 'POST', `${path}/notes`, { content: 'About the walrus.' });
      await call(key, 'PATCH', path, { tags: ['walrus'], status: 'escalated' });
    };
    // The hidden workspace is there: the report about sealed secrets counts its own.
    await ask(testKey, 'Is it open?');
    const [first, before] = [await readAll(), await readAll()];
    await happens(testKey);
    const after = await readAll();
    const steady = [...before].filter(([url, body]) => first.get(url) === body);
    // A key's own row says how its requests ended, tests or not.
    const others = steady.filter(([url]) => !url.endsWith('/keys'));
    for (const [url, body] of others) expect([url, after.get(url)]).toEqual([url, body]);
    for (const [url, body] of after) expect([url, body.includes('walrus')]).toEqual([url, false]);
    await happens(liveKey);
    const live = await readAll();
    const told = [...live].filter(([url, body]) => body !== after.get(url)).map(([url]) => url);
    expect(told.length).toBeGreaterThan(12);
    for (const part of [
      ...['/usage', '/conversations', '/conversation-counts', '/answers', '/insights/outcomes', '/proposals'],
      ...['/insights/questions', '/insights/people', '/deliveries', '/audit-log', '/installation', '/queues'],
    ]) {
      expect([part, told.some((url) => url.includes(part))]).toEqual([part, true]);
    }
  });

  test('conversations of test keys are deleted seven days after their last message, with nothing left', async () => {
    const [tested, live] = [await ask(testKey, 'Is it open?'), await ask(liveKey, 'Is it open?')];
    await maintain(7 * dayMs - 60_000);
    expect(await idsOf(testKey)).toContain(tested.conversation_id);
    await maintain(7 * dayMs + 60_000);
    expect(await idsOf(testKey)).toEqual([]);
    expect(await idsOf(liveKey)).toContain(live.conversation_id);
    const path = `/workspaces/${own.id}/conversations/${tested.conversation_id}/audit-log`;
    expect((await operate('GET', path)).json().audit_log ?? []).toEqual([]);
  });
});

test('a workspace that is deleted takes its tests along', async () => {
  const gone = await makeWorkspace({ name: 'Gone', owner: own.owner });
  const asked = await ask(testKey, 'Is it open?', { workspace_id: gone.id });
  await runtime.workspaces.delete(gone.id);
  const path = `/v1/conversations/${asked.conversation_id}`;
  expect((await call(testKey, 'GET', path)).json().code).toBe('conversation_not_found');
});
