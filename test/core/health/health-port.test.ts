import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { StartError } from '../../../core/base/errors.ts';
import type { Config } from '../../../core/config/config.ts';
import { openHealthPort } from '../../../core/health/health-port.ts';
import { Readiness } from '../../../core/health/readiness.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';

const runtime = await openTestRuntime();
const configured = (changes: Partial<Config>) => ({ ...runtime, config: { ...runtime.config, ...changes } });

async function open(parts: Partial<typeof runtime> = {}): Promise<string> {
  const port = await openHealthPort({ ...configured({ METRICS_PORT: 0 }), ...parts });
  if (port === null) throw new TypeError('no port');
  onTestFinished(() => port.close());
  return port.address;
}

test('is not opened without METRICS_PORT', async () => {
  expect(await openHealthPort(runtime)).toBeNull();
});

test('serves health, readiness and metrics without a token, and nothing else', async () => {
  const address = await open();
  const alive = await fetch(`${address}/healthz`);
  expect([alive.status, await alive.json()]).toEqual([200, { status: 'alive' }]);
  const ready = await fetch(`${address}/readyz?verbose`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: 'ready', checks: { database: 'ok', queue: 'ok', embedder: 'ok', answer: 'starting' } },
  ]);
  const metrics = await fetch(`${address}/metrics`);
  expect(metrics.headers.get('content-type')).toContain('text/plain');
  const text = await metrics.text();
  expect(text).toContain('parley_part_up{part="database"} 1');
  expect(text).toContain('parley_part_up{part="answer"} 0');
  expect(text).toContain('parley_process_faults_total{kind="unhandled_rejection"} 0');
  expect(text).toContain('channel_answer_delay_seconds');
  for (const [path, method, status] of [
    ['/v1/query', 'GET', 404],
    ['/readyz', 'POST', 405],
    ['/healthz', 'HEAD', 200],
  ] as const) {
    expect((await fetch(`${address}${path}`, { method })).status, `${method} ${path}`).toBe(status);
  }
});

test('reports a process that cannot serve or is about to stop', async () => {
  const processes = { canWrite: async () => false, listLive: async () => [], note() {} };
  const readiness = new Readiness({ ...runtime, processes });
  const address = await open({ readiness });
  const broken = await fetch(`${address}/readyz`);
  expect([broken.status, await broken.json()]).toMatchObject([
    503,
    { code: 'not_ready', checks: { database: 'failed' } },
  ]);
  readiness.leave();
  const leaving = await fetch(`${address}/readyz`);
  expect([leaving.status, leaving.headers.get('retry-after'), await leaving.json()]).toMatchObject([
    503,
    '2',
    { code: 'deploying' },
  ]);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});

test('survives a failing store', async () => {
  const metrics = Object.assign(Object.create(runtime.metrics), {
    text: () => Promise.reject(new TypeError('gone')),
  });
  const address = await open({ metrics });
  await expect(fetch(`${address}/metrics`)).rejects.toThrow();
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});

test('stops the start and names the port if it is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const bound = other.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const failure = await openHealthPort(configured({ METRICS_PORT: port })).catch((error: unknown) => error);
  other.close();
  expect(failure).toBeInstanceOf(StartError);
  expect(String(failure)).toContain(`METRICS_PORT is ${port}`);
});
