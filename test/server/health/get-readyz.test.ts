import { expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { openTestServer } from '../../helpers/open-test-server.ts';

const get = async (server: Awaited<ReturnType<typeof openTestServer>>, url: string) =>
  server.app.inject({ method: 'GET', url });

test('a healthy server is alive and ready, and says so to anybody', async () => {
  const server = await openTestServer();
  await server.runtime.processes.take('workers');
  const alive = await get(server, '/healthz');
  const ready = await get(server, '/readyz');
  expect([alive.statusCode, alive.json()]).toEqual([200, { status: 'alive' }]);
  const checks = { database: 'ok', queue: 'ok', embedder: 'ok', workers: 'ok' };
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', checks }]);
});

test('a server that lacks parts is alive, not ready, and names them', async () => {
  let asked = 0;
  const server = await openTestServer({
    alter: ({ queue }) => ({
      queue: {
        ...queue,
        ping: async () => {
          asked += 1;
          throw new TypeError('the password is secret');
        },
      },
    }),
  });
  expect((await get(server, '/healthz')).statusCode).toBe(200);
  const [response] = await Promise.all([get(server, '/readyz'), get(server, '/readyz')]);
  expect([response.statusCode, response.json()]).toEqual([
    503,
    {
      code: 'not_ready',
      detail: 'Cannot be reached: queue, workers.',
      request_id: response.headers['x-request-id'],
      checks: { database: 'ok', queue: 'failed', embedder: 'ok', workers: 'failed' },
    },
  ]);
  expect(asked).toBe(1);
});

test.each([
  ["a provider's", 'remote', 200],
  ['the built-in', 'onnx', 503],
] as const)(
  'a server whose embedding model is %s and fails: ready or not',
  async (_whose, engine, status) => {
    const check = () => Promise.reject(new AppError('provider_down'));
    const server = await openTestServer({
      alter: ({ embedder }) => ({ embedder: { ...embedder, engine, check } }),
    });
    await server.runtime.processes.take('workers');
    const ready = await get(server, '/readyz');
    expect([ready.statusCode, ready.json().checks.embedder]).toEqual([status, 'failed']);
  },
);

test('a server that drains is alive, and sends everybody else away for half a minute', async () => {
  const server = await openTestServer();
  await server.app.drain();
  expect((await get(server, '/healthz')).statusCode).toBe(200);
  for (const url of ['/readyz', '/v1/query', '/nowhere', '/admin/v1/workspaces']) {
    const response = await get(server, url);
    expect([response.statusCode, response.json().code, response.headers['retry-after']], url).toEqual([
      503,
      'deploying',
      '30',
    ]);
  }
});
