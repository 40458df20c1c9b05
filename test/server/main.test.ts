import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { StartError } from '../../core/base/errors.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { start } from '../../server/main.ts';
import { openTestRuntime } from '../helpers/servers/open-test-runtime.ts';

const runtime = await openTestRuntime();
const { workspace } = await runtime.workspaces.create({ name: 'Test' });
const { value: key } = await runtime.apiKeys.create(workspace.id, { name: 'Test' });

const configured = (changes: Partial<Runtime['config']>): Runtime => ({
  ...runtime,
  config: { ...runtime.config, ...changes },
});

/** A runtime whose questions wait until they are released. */
function slow(changes: Partial<Runtime['config']> = {}) {
  const arrived = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const embedder = {
    ...runtime.embedder,
    async embedQuery(text: string) {
      arrived.resolve();
      await letGo.promise;
      return runtime.embedder.embedQuery(text);
    },
  };
  return { runtime: { ...configured(changes), embedder }, arrived: arrived.promise, letGo: letGo.resolve };
}

const ask = (address: string) =>
  fetch(`${address}/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Do you sell socks?' }),
  });

test('a started server answers at its address until it stops', async () => {
  const server = await start(runtime);
  expect((await ask(server.address)).status).toBe(200);
  await server.stop();
  await expect(fetch(`${server.address}/healthz`)).rejects.toThrow();
});

test('a port in use ends the start with one line that says what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const bound = other.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const failure = await start(configured({ PORT: port })).catch((error: unknown) => error);
  other.close();
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain(`PORT is ${port}`);
});

test('an address of another machine ends the start with one line that says what to do', async () => {
  const failure = await start(configured({ HOST: '203.0.113.1' })).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain('HOST is "203.0.113.1"');
});

test('stopping completes requests in flight, rejects new ones, and then closes the port', async () => {
  const { runtime: waiting, arrived, letGo } = slow();
  const server = await start(waiting);
  const inFlight = ask(server.address);
  await arrived;
  const stopped = server.stop();
  for (const refused of [await ask(server.address), await fetch(`${server.address}/v1/query`)]) {
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refused.json()).toEqual({
      code: 'deploying',
      detail: expect.any(String),
      request_id: refused.headers.get('x-request-id'),
    });
  }
  expect((await fetch(`${server.address}/healthz`)).status).toBe(200);
  letGo();
  expect((await inFlight).status).toBe(200);
  await stopped;
  await expect(fetch(`${server.address}/healthz`)).rejects.toThrow();
});

test('stopping cuts off requests that do not end in time', async () => {
  const { runtime: waiting, arrived } = slow({ SHUTDOWN_SECONDS: 0.05 });
  const server = await start(waiting);
  const inFlight = ask(server.address);
  const cut = expect(inFlight).rejects.toThrow();
  await arrived;
  await server.stop();
  await cut;
});
