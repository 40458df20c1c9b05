import { expect, test } from 'vitest';
import { z } from 'zod';
import { runProduct } from '../helpers/servers/processes/run-product.ts';
import { openSite } from '../helpers/sources/site.ts';
import { emptyTestFolder } from '../helpers/stores/databases/test-data-folder.ts';

const adminToken = 'a-token-for-the-tests';

const sourceSchema = z.object({
  id: z.string(),
  documents: z.number(),
  last_run: z.object({
    number: z.number(),
    state: z.string(),
    waiting: z.number(),
    counts: z.record(z.string(), z.number()),
  }),
});
const documentsSchema = z.object({ documents: z.array(z.object({ indexed_at: z.string().nullable() })) });
const answerSchema = z.object({ answer: z.string() });

test('a website is read through a kill -9, then kept in step: changes are answered, missing pages go after two runs', {
  timeout: 300_000,
}, async () => {
  const site = await openSite({ hasTraps: false, sections: 2 });
  const environment = {
    DATA_DIR: emptyTestFolder(),
    ADMIN_TOKEN: adminToken,
    // The site is on this machine.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
  };
  let parley = await runProduct(environment);
  const call = async (method: string, path: string, body?: object, token = adminToken): Promise<unknown> => {
    const response = await fetch(`${parley.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const made = await call('POST', '/admin/v1/workspaces', { name: 'Fernhill' });
  const base = `/admin/v1/workspaces/${z.object({ id: z.string() }).parse(made).id}`;
  const settings = { url: site.address('/'), requests_per_second: 20 };
  const added = await call('POST', `${base}/sources`, { name: 'Fernhill', kind: 'website', settings });
  const path = `${base}/sources/${sourceSchema.parse(added).id}`;
  const look = async () => sourceSchema.parse(await call('GET', path));
  const finished = async (number: number) => {
    const wanted = { number, state: 'finished' };
    await expect
      .poll(async () => (await look()).last_run, { timeout: 120_000, interval: 200 })
      .toMatchObject(wanted);
    return (await look()).last_run.counts;
  };
  const runAgain = async (number: number) => {
    site.requests.length = 0;
    await call('POST', `${path}/run`, {});
    return finished(number);
  };
  const indexedAt = async () => {
    await expect
      .poll(async () => call('GET', `${base}/documents/counts`), { timeout: 60_000, interval: 100 })
      .toMatchObject({ statuses: { queued: 0, indexing: 0 } });
    const { documents } = documentsSchema.parse(await call('GET', `${base}/documents?limit=100`));
    return documents.map((document) => document.indexed_at).toSorted();
  };

  await expect
    .poll(async () => (await look()).last_run.counts.added, { timeout: 60_000 })
    .toBeGreaterThan(10);
  await parley.end('SIGKILL');
  parley = await runProduct(environment);
  const all = site.wanted.length;
  expect(await finished(1)).toMatchObject({ listed: all, added: all, failed: 0 });
  expect(await indexedAt()).toHaveLength(all);

  // Pages that were cut before the template of the site was known are read again once.
  expect(await runAgain(2)).toMatchObject({ added: 0, removed: 0, failed: 0 });
  const first = await indexedAt();
  expect(await runAgain(3)).toMatchObject({ added: 0, changed: 0, unchanged: all, removed: 0, failed: 0 });
  expect(await indexedAt()).toEqual(first);
  const pages = site.requests.filter((request) => request.path.startsWith('/docs/'));
  // One page of five has no validators.
  expect(pages.filter((request) => request.hasConditions).length).toBeGreaterThan(pages.length * 0.7);

  site.change('/docs/s1/p5');
  expect(await runAgain(4)).toMatchObject({ changed: 1, unchanged: all - 1 });
  await indexedAt();
  const { key } = z.object({ key: z.string() }).parse(await call('POST', `${base}/keys`, { name: 'Test' }));
  const question = { query: 'What does page 5 of section 1 explain? Which edition?' };
  const { answer } = answerSchema.parse(await call('POST', '/v1/query', question, key));
  expect(answer).toContain('Edition 1');

  site.remove('/docs/s2/p7');
  expect(await runAgain(5)).toMatchObject({ gone: 1, removed: 0 });
  expect((await look()).documents).toBe(all);
  expect(await runAgain(6)).toMatchObject({ gone: 1, removed: 1 });
  expect((await look()).documents).toBe(all - 1);
  expect(await parley.end('SIGTERM')).toBe(0);
  await site.close();
});
