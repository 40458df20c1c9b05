import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { freePort } from '../helpers/servers/network/free-port.ts';
import { makeFirstWorkspace } from '../helpers/servers/processes/make-first-workspace.ts';
import { runProduct, startProduct } from '../helpers/servers/processes/run-product.ts';
import { emptyTestFolder, testDataFolder } from '../helpers/stores/databases/test-data-folder.ts';
import { createDatabase, testEngines } from '../helpers/stores/databases/test-databases.ts';

/**
 * The script loaded before the product. Two signals cause the faults that the product's code never causes on purpose.
 */
const planted = `
  process.on('SIGUSR2', () => void Promise.reject(new Error('planted rejection')));
  process.on('SIGWINCH', () => { throw new Error('planted exception'); });
`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(planted)}`;

/** A query without its last byte. It is in flight until `finish` is called. */
async function beginQuery(address: string, key: string) {
  const body = JSON.stringify({ query: 'Do you sell socks?' });
  const sent = request(`${address}/v1/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  const answered = once(sent, 'response');
  // By then the server has received the headers.
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(body.slice(0, -1));
  return async () => {
    sent.end(body.slice(-1));
    const [response]: IncomingMessage[] = await answered;
    return response?.statusCode;
  };
}

const ask = (address: string, key: string) =>
  fetch(`${address}/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Do you sell socks?' }),
  });

async function metricOf(address: string, name: string): Promise<number | undefined> {
  const told = await (await fetch(`${address}/metrics`)).text();
  const line = told.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

describe('a stopping process', { timeout: 300_000 }, async () => {
  const folder = testDataFolder();
  const { key } = await makeFirstWorkspace(folder);

  test.each([
    ['SIGTERM', 0],
    ['SIGUSR2', 1],
  ] as const)(
    'on %s fails readiness at once, serves for DRAIN_SECONDS, then rejects new requests and finishes those in flight',
    async (signal, exitCode) => {
      const port = await freePort();
      const product = await runProduct({
        NODE_OPTIONS,
        DATA_DIR: folder,
        DRAIN_SECONDS: '15',
        METRICS_PORT: `${port}`,
      });
      const health = `http://127.0.0.1:${port}`;
      expect((await fetch(`${product.address}/readyz`)).status).toBe(200);
      const finish = await beginQuery(product.address, key);
      product.signal(signal);
      await expect.poll(async () => (await fetch(`${product.address}/readyz`)).status).toBe(503);
      expect((await fetch(`${health}/readyz`)).status).toBe(503);
      const served = await ask(product.address, key);
      expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
      product.signal('SIGWINCH');
      const exceptions = () => metricOf(health, 'parley_process_faults_total{kind="uncaught_exception"}');
      await expect.poll(exceptions).toBe(1);
      expect((await ask(product.address, key)).status).toBe(200);
      // Each of these questions is answered until then.
      const seldom = { timeout: 60_000, interval: 500 };
      await expect.poll(async () => (await ask(product.address, key)).status, seldom).toBe(503);
      const refused = await ask(product.address, key);
      expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
        '2',
        { code: 'deploying' },
      ]);
      expect((await fetch(`${health}/healthz`)).status).toBe(200);
      const rejections = await metricOf(health, 'parley_process_faults_total{kind="unhandled_rejection"}');
      expect(rejections).toBe(exitCode);
      expect(await finish()).toBe(200);
      expect(await product.ended).toBe(exitCode);
      expect(product.errors().includes('planted rejection')).toBe(exitCode === 1);
      expect(product.errors()).toContain('planted exception');
    },
  );

  test('does not wait for load balancers on SIGINT, because a terminal has none', async () => {
    const product = await runProduct({ DATA_DIR: folder, DRAIN_SECONDS: '300' });
    product.signal('SIGINT');
    expect(await product.ended).toBe(0);
  });

  test.runIf(testEngines.includes('postgres'))(
    'with workers only serves health and metrics on METRICS_PORT until they have stopped in order',
    async () => {
      const port = await freePort();
      const child = startProduct(
        {
          NODE_OPTIONS,
          DATABASE_URL: await createDatabase(),
          DATA_DIR: emptyTestFolder(),
          METRICS_PORT: `${port}`,
          LOG_LEVEL: 'info',
          DRAIN_SECONDS: '300',
        },
        ['workers', 'answer', 'deliver'],
      );
      const logged = text(child.stderr);
      const health = `http://127.0.0.1:${port}`;
      const statusOf = async (path: string) => (await fetch(health + path).catch(() => null))?.status;
      await expect.poll(() => statusOf('/readyz'), { timeout: 60_000 }).toBe(200);
      await expect
        .poll(async (): Promise<unknown> => (await fetch(`${health}/readyz`)).json())
        .toMatchObject({
          status: 'ready',
          checks: { database: 'ok', embedder: 'ok', queue: 'ok', answer: 'ok', deliver: 'ok' },
        });
      expect(await statusOf('/healthz')).toBe(200);
      const metrics = await (await fetch(`${health}/metrics`)).text();
      expect(metrics).toContain('# TYPE channel_answer_delay_seconds histogram');
      expect(metrics).toContain('# TYPE channel_send_delay_seconds histogram');
      expect(metrics).toContain('# TYPE channel_calls_total counter');
      const ended = once(child, 'exit');
      child.kill('SIGWINCH');
      expect((await ended)[0]).toBe(1);
      expect(await logged).toContain('planted exception');
      expect(await logged).toContain('workers stopped');
      expect(await statusOf('/healthz')).toBeUndefined();
    },
  );
});
