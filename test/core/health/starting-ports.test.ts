import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openStartingPorts } from '../../../core/health/starting-ports.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

async function open(names: readonly string[], environment: Readonly<Record<string, string>>) {
  const ports = await openStartingPorts(names, environment);
  onTestFinished(() => ports.close());
  return ports;
}

test('a starting process is alive, says what it does, and asks for every other request again', async () => {
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
  const ports = await open(['server', 'workers'], { PORT, METRICS_PORT });
  for (const port of [PORT, METRICS_PORT]) {
    const address = `http://127.0.0.1:${port}`;
    const alive = await fetch(`${address}/healthz?x`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'alive' }]);
    const starting = await fetch(`${address}/readyz`);
    expect([starting.status, await starting.json()]).toMatchObject([
      503,
      { code: 'deploying', status: 'starting' },
    ]);
    const webhook = await fetch(`${address}/webhooks/telegram/x`, { method: 'POST', body: '{}' });
    expect([webhook.status, webhook.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await webhook.json()).toMatchObject({ code: 'deploying', detail: expect.any(String) });
  }
  ports.migrating();
  const migrating = await fetch(`http://127.0.0.1:${PORT}/readyz`);
  expect([migrating.status, await migrating.json()]).toMatchObject([503, { status: 'migrating' }]);
  await ports.close();
  await expect(fetch(`http://127.0.0.1:${PORT}/healthz`)).rejects.toThrow();
});

test('workers alone open no port of the server', async () => {
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
  await open(['workers'], { PORT, METRICS_PORT });
  expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/healthz`)).status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${PORT}/healthz`)).rejects.toThrow();
});

test('a port in use and a wrong variable are left to the start, which reports them', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const place = other.address();
  const port = typeof place === 'object' && place !== null ? String(place.port) : '';
  await open(['server'], { PORT: port });
  await open(['server'], { PORT: 'many' });
});
