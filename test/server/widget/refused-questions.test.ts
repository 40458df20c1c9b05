import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectors } from '../../../connectors/registry.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { openWidgetServer } from '../../helpers/servers/open-widget-server.ts';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { emptyTestFolder, testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';

/** Each would end a separate process. */
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', onUnhandled);
});
afterAll(() => {
  process.off('unhandledRejection', onUnhandled);
});

const question = { query: 'When does a parcel arrive?' };

test('rejects an anonymous session while the workspace requires identity proofs', async () => {
  const server = await openWidgetServer({ runtime: { environment: { DATA_DIR: testDataFolder() } } });
  const shop = await server.openShop();
  const session = await shop.openSession();
  const ask = () => shop.send('/ask', { method: 'POST', session, body: question });
  const before = await ask();
  expect([before.status, await before.text()]).toEqual([200, expect.stringContaining('"done":true')]);
  const proof = { settings: { require_identity_verification: true } };
  await server.operate('PATCH', `/workspaces/${shop.id}`, proof);
  for (const response of [
    await ask(),
    await shop.send('/human', { method: 'POST', session, body: {} }),
    await shop.send('/messages', { session }),
  ]) {
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'verification_required' }]);
  }
  await server.operate('PATCH', `/workspaces/${shop.id}`, {
    settings: { require_identity_verification: false },
  });
  expect((await shop.send('/messages', { session })).status).toBe(200);
  expect(unhandled).toEqual([]);
});

test.runIf(testEngines.includes('postgres'))(
  'rejects a question if the database fails before the first word, and answers the next one',
  async () => {
    const postgres = await startPostgres(join(emptyTestFolder(), 'postgres'));
    if (postgres === null) throw new TypeError('this machine has no PostgreSQL');
    const outage = { isNext: false };
    const server = await openWidgetServer({
      runtime: { connectors, environment: { DATABASE_URL: await postgres.newDatabase() } },
      alter: ({ quota }: Runtime) => ({
        quota: Object.assign(Object.create(quota), {
          async reserve(...args: Parameters<typeof quota.reserve>) {
            const reservation = await quota.reserve(...args);
            if (outage.isNext) await postgres.stop();
            return reservation;
          },
        }),
      }),
    });
    const shop = await server.openShop();
    const session = await shop.openSession();
    outage.isNext = true;
    const refused = await shop.send('/ask', { method: 'POST', session, body: question });
    expect(refused.status).toBeGreaterThanOrEqual(500);
    expect(await refused.json()).toMatchObject({ code: expect.any(String), request_id: expect.any(String) });
    outage.isNext = false;
    postgres.start();
    await expect
      .poll(async () => (await shop.send('/ask', { method: 'POST', session, body: question })).status)
      .toBe(200);
    expect(unhandled).toEqual([]);
    await server.close();
    await server.runtime.close();
    await postgres.stop();
  },
  300_000,
);
