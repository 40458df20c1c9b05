import { expect, test } from 'vitest';
import { z } from 'zod';
import { runProduct } from '../helpers/servers/processes/run-product.ts';
import { openSite } from '../helpers/sources/site.ts';
import { emptyTestFolder } from '../helpers/stores/databases/test-data-folder.ts';

const adminToken = 'a-token-for-the-tests';
/** The time that the product promises. */
const PROMISED_MS = 60_000;

const sourceSchema = z.object({
  id: z.string(),
  state: z.string(),
  left: z.number(),
  indexing: z.object({ documents: z.number(), oldest_at: z.string().nullable() }),
  last_run: z.object({ number: z.number(), state: z.string(), waiting: z.number() }),
});
const answerSchema = z.object({ answer: z.string() });

test('a page that is named as changed is answered within 60 seconds, while a run of the whole site goes', {
  timeout: 300_000,
}, async () => {
  const site = await openSite({ hasTraps: false, sections: 2 });
  const parley = await runProduct({
    DATA_DIR: emptyTestFolder(),
    ADMIN_TOKEN: adminToken,
    // The site is on this machine.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
  });
  const send = (method: string, path: string, body?: object, token = adminToken) =>
    fetch(`${parley.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const call = async (...request: Parameters<typeof send>): Promise<unknown> =>
    (await send(...request)).json();
  const made = await call('POST', '/admin/v1/workspaces', { name: 'Fernhill' });
  const base = `/admin/v1/workspaces/${z.object({ id: z.string() }).parse(made).id}`;
  const settings = { url: site.address('/'), requests_per_second: 20 };
  const added = await call('POST', `${base}/sources`, { name: 'Fernhill', kind: 'website', settings });
  const path = `${base}/sources/${sourceSchema.parse(added).id}`;
  const look = async () => sourceSchema.parse(await call('GET', path));
  // In step only when everything that was read is in the index.
  await expect.poll(look, { timeout: 120_000, interval: 200 }).toMatchObject({
    ...{ state: 'in_step', left: 0, indexing: { documents: 0, oldest_at: null } },
    last_run: { state: 'finished' },
  });
  const { key } = z.object({ key: z.string() }).parse(await call('POST', `${base}/keys`, { name: 'Test' }));
  const ask = async () => {
    const query = 'What does page 5 of section 1 explain? Which edition?';
    return answerSchema.parse(await call('POST', '/v1/query', { query }, key)).answer;
  };
  expect(await ask()).toContain('Edition 0');

  // Slow enough that the whole run outlasts the change: some forty seconds.
  await call('PATCH', path, { settings: { ...settings, requests_per_second: 0.5 }, max_items: 1_999 });
  await expect
    .poll(look, { timeout: 60_000, interval: 100 })
    .toMatchObject({ last_run: { state: 'running' } });
  site.change('/docs/s1/p5');
  const begun = performance.now();
  const response = await send('POST', `${path}/changed`, { addresses: [site.address('/docs/s1/p5')] });
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ taken: 1, left_out: [] });
  await expect.poll(ask, { timeout: PROMISED_MS, interval: 200 }).toContain('Edition 1');
  expect(performance.now() - begun).toBeLessThan(PROMISED_MS);
  expect(await look()).toMatchObject({ state: 'catching_up', last_run: { state: 'running' } });
  expect(await parley.end('SIGTERM')).toBe(0);
  await site.close();
});
