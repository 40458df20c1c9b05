import { expect, test } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { duties } from '../../../core/health/duties.ts';
import { Readiness } from '../../../core/health/readiness.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const get = async (server: Awaited<ReturnType<typeof openTestServer>>, url: string) =>
  server.app.inject({ method: 'GET', url });

test('a healthy server is alive and ready, without authentication', async () => {
  const server = await openTestServer();
  await server.runtime.processes.addRole(
    'workers',
    duties.map(({ kind }) => kind),
  );
  await server.runtime.readiness.report({ isFresh: true });
  const alive = await get(server, '/healthz');
  const ready = await get(server, '/readyz');
  expect([alive.statusCode, alive.json()]).toEqual([200, { status: 'alive' }]);
  const checks = { database: 'ok', queue: 'ok', embedder: 'ok', answer: 'ok', deliver: 'ok' };
  expect([ready.statusCode, ready.json()]).toMatchObject([200, { status: 'ready', checks }]);
});

test('a server whose demo is still indexed says so, and so do the answers of the demo', async () => {
  const server = await openTestServer();
  const { demo } = server.runtime;
  const [own, other] = [await server.makeWorkspace(), await server.makeWorkspace()];
  const ask = async ({ key }: typeof own, query: string) =>
    (await server.query(key, { query })).json().answer;
  demo.begin();
  demo.name(own.id);
  expect((await get(server, '/readyz')).json()).toMatchObject({ status: 'ready', demo: 'indexing' });
  expect(await ask(own, 'When do parcels arrive?')).toContain('still being read');
  expect(await ask(own, 'Wann kommt mein Paket bei mir an?')).toContain('noch gelesen');
  expect(await ask(other, 'When do parcels arrive?')).not.toContain('still being read');
  demo.end();
  expect((await get(server, '/readyz')).json()).not.toHaveProperty('demo');
  expect(await ask(own, 'When do parcels arrive?')).not.toContain('still being read');
});

test('a server without queue and workers is ready and reports the degraded parts', async () => {
  let asked = 0;
  const server = await openTestServer({
    alter: (runtime) => ({
      readiness: new Readiness({
        ...runtime,
        queue: {
          ping: async () => {
            asked += 1;
            throw new TypeError('the password is secret');
          },
        },
      }),
    }),
  });
  expect((await get(server, '/healthz')).statusCode).toBe(200);
  const [response] = await Promise.all([get(server, '/readyz'), get(server, '/readyz')]);
  expect([response.statusCode, response.json()]).toMatchObject([
    200,
    {
      status: 'ready',
      checks: { database: 'ok', queue: 'degraded', embedder: 'ok', answer: 'starting' },
    },
  ]);
  expect(asked).toBe(1);
});

test('a server with a read-only database is alive, not ready, and names the database', async () => {
  const server = await openTestServer({
    alter: (runtime) => ({
      readiness: new Readiness({
        ...runtime,
        processes: { canWrite: async () => false, listLive: async () => [], note() {} },
      }),
    }),
  });
  expect((await get(server, '/healthz')).statusCode).toBe(200);
  const response = await get(server, '/readyz');
  expect([response.statusCode, response.json()]).toEqual([
    503,
    {
      code: 'not_ready',
      detail: 'These components are not working: database.',
      request_id: response.headers['x-request-id'],
      checks: expect.objectContaining({ database: 'failed', queue: 'ok', embedder: 'ok' }),
    },
  ]);
});

test.each([
  ["a provider's", 'remote', 200, 'degraded'],
  ['the built-in', 'onnx', 503, 'failed'],
] as const)(
  'a server with a failing embedding model that is %s reports its readiness',
  async (_whose, engine, status, state) => {
    const check = () => Promise.reject(new AppError('provider_down'));
    const server = await openTestServer({
      alter: (runtime) => ({ readiness: new Readiness({ ...runtime, embedder: { engine, check } }) }),
    });
    const ready = await get(server, '/readyz');
    expect([ready.statusCode, ready.json().checks.embedder]).toEqual([status, state]);
  },
);

test('a server about to stop is not ready, and closes connections after its responses', async () => {
  const server = await openTestServer();
  server.runtime.readiness.leave();
  const ready = await get(server, '/readyz');
  expect([ready.statusCode, ready.json().code, ready.headers['retry-after']]).toEqual([
    503,
    'deploying',
    '2',
  ]);
  for (const [url, status] of [
    ['/healthz', 200],
    ['/v1/query', 405],
    ['/nowhere', 404],
    ['/admin/v1/workspaces', 401],
  ] as const) {
    const response = await get(server, url);
    expect([response.statusCode, response.headers.connection], url).toEqual([status, 'close']);
  }
});

test('a draining server is alive and rejects all other requests', async () => {
  const server = await openTestServer();
  await server.app.drain();
  expect((await get(server, '/healthz')).statusCode).toBe(200);
  for (const url of ['/readyz', '/v1/query', '/nowhere', '/admin/v1/workspaces']) {
    const response = await get(server, url);
    expect([response.statusCode, response.json().code, response.headers['retry-after']], url).toEqual([
      503,
      'deploying',
      '2',
    ]);
  }
});
