import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { startEmbeddingProvider } from '../../helpers/models/providers/embedding-provider.ts';
import { runProduct, startProduct } from '../../helpers/servers/processes/run-product.ts';
import { testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const adminToken = 'a-token-for-the-tests';
/** `PARLEY_DRILL=1` for the whole of it, a smaller number for a part. */
const asked = process.env.PARLEY_DRILL;
const scale = Number(asked ?? 0.06);
const size = {
  passages: Math.round(5_000 * scale),
  pages: Math.round(200 * scale),
  site: Math.round(400 * scale) + 20,
  deleted: Math.round(300 * scale),
  kills: asked === undefined ? 1 : 2,
};
/** The time that the product promises for a change. */
const PROMISED_MS = 60_000;
/**
 * The pages beside a large document, to the pages alone. A small drill does not check it, because it is over within
 * its jitter.
 */
const MOST_RATIO = 1.5;

/** The documents that a worker reads at once; `BATCH` is the texts of a request. */
const DOCUMENTS_AT_ONCE = 6;
const BATCH = 16;

const redisUrl = inject('redisUrl');
const isThere = testEngines.includes('postgres') && redisUrl !== null;

/** Words that stand in each passage, and in no question or trial of the provider. */
const MARK = 'has the mark';
const QUESTION = 'What is the deposit for lantern 7?';
/** How often the provider has embedded a text, over all processes. */
const embedded = new Map<string, number>();
const { environment: embedding } = await startEmbeddingProvider({
  dimensions: 64,
  async onTexts(texts) {
    for (const text of texts) {
      if (text.includes(MARK)) embedded.set(text, (embedded.get(text) ?? 0) + 1);
    }
    await wait(20);
  },
});

const sentence = (name: string, part: number) =>
  `The ${name} ${MARK} ${part * 7 + 3} on part ${part}, and its cover opens to the side of the wall. `;
const pageOf = (name: string) =>
  Array.from(
    { length: 6 },
    (_, part) => `## Part ${part} of ${name}\n\n${sentence(name, part).repeat(3)}\n\n`,
  ).join('');
const largeDocument = () =>
  Array.from(
    { length: size.passages },
    (_, part) => `## Section ${part}\n\n${sentence(`large machine ${part}`, part).repeat(4)}\n\n`,
  ).join('');

test.skipIf(!isThere)(
  'a large document, many pages, kills, a change and deletions at once, on two workers',
  async () => {
    const site = await openSite();
    const environment = {
      ...{ ...embedding, DATA_DIR: testDataFolder(), ADMIN_TOKEN: adminToken },
      ...{ DATABASE_URL: await createDatabase(), REDIS_URL: redisUrl ?? '', ALLOW_PRIVATE_WEBHOOKS: 'true' },
    };
    const server = await runProduct(environment, { words: ['server'] });
    const workers = await Promise.all([startWorker(environment), startWorker(environment)]);
    const shop = await openShop(server.address);
    const database = await openDatabase(environment, createLog('silent'));
    const rows: (readonly [string, string])[] = [];
    try {
      const source = await shop.addSource(site.address);
      await expect.poll(source.look, { timeout: 900_000, interval: 500 }).toMatchObject({
        ...{ state: 'in_step', documents: size.site, left: 0 },
      });

      const alone = await timePages(shop, database.kysely, 'alone');
      rows.push([`${size.pages} pages alone`, seconds(alone)]);
      // The same pages beside the large document.
      await shop.add('large', largeDocument());
      const beside = await timePages(shop, database.kysely, 'beside');
      rows.push([`${size.pages} pages beside ${size.passages} passages`, seconds(beside)]);
      rows.push(['ratio', (beside / alone).toFixed(2)]);

      const before = countTwice();
      rows.push(['embedded twice before the kills', String(before)]);
      // The same is done while workers are killed.
      if (asked !== undefined) await shop.add('larger', largeDocument().replaceAll('large', 'larger'));
      const killed = timePages(shop, database.kysely, 'killed');
      for (let kill = 0; kill < size.kills; kill += 1) {
        await wait(1_500);
        workers[kill]?.kill('SIGKILL');
        workers[kill] = await startWorker(environment);
      }
      site.change('/page/7');
      const changed = await timeChange(shop, source, site.address);
      rows.push(['a named change until it is answered', seconds(changed)]);
      site.remove(size.deleted);
      const gone = Array.from({ length: size.deleted }, (_, at) => `${site.address}/page/${10 + at}`);
      for (let at = 0; at < gone.length; at += 200) {
        const body = { addresses: gone.slice(at, at + 200), deleted: true };
        expect(await source.call('POST', '/changed', body)).toMatchObject({ left_out: [] });
      }
      await expect
        .poll(source.look, { timeout: 300_000, interval: 500 })
        .toMatchObject({ state: 'held', documents: size.site });
      rows.push([`${size.deleted} deletions`, 'held, none done']);
      const killedMs = await killed;
      rows.push([
        `${size.pages} pages with ${size.kills} kills`,
        `${seconds(killedMs)}, ratio ${(killedMs / alone).toFixed(2)}`,
      ]);

      await expect.poll(() => countWaiting(database.kysely), { timeout: 900_000, interval: 1_000 }).toBe(0);
      expect((await source.look()).documents).toBe(size.site);
      const missing = await countMissing(database.kysely);
      const twice = countTwice();
      rows.push(
        ['texts', String(embedded.size)],
        ['embedded twice', String(twice)],
        ['missing', String(missing)],
      );
      expect(missing).toBe(0);
      expect(changed).toBeLessThan(PROMISED_MS);
      expect(before).toBe(0);
      // A killed worker had sent a batch for each of its documents: what came back was lost with it.
      expect(twice).toBeLessThanOrEqual(size.kills * DOCUMENTS_AT_ONCE * BATCH);
      if (scale >= 0.1) expect(beside / alone).toBeLessThanOrEqual(MOST_RATIO);
    } finally {
      if (asked !== undefined)
        for (const [name, value] of rows) process.stderr.write(`${name.padEnd(44)} ${value}\n`);
      await database.close();
      for (const worker of workers) worker.kill('SIGKILL');
      await server.end('SIGTERM');
      site.close();
    }
  },
  1_800_000,
);

const countTwice = () => [...embedded.values()].filter((times) => times > 1).length;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

async function startWorker(environment: Readonly<Record<string, string>>) {
  const worker = startProduct({ ...environment, LOG_LEVEL: 'info' }, ['workers']);
  let logged = '';
  await new Promise<void>((started, failed) => {
    worker.stderr.on('data', (lines: Buffer) => {
      if (logged.includes('workers started')) return;
      logged += lines.toString();
      if (logged.includes('workers started')) started();
    });
    worker.once('exit', () => failed(new Error(`a worker ended at its start: ${logged}`)));
  });
  return worker;
}

const answerSchema = z.object({ answer: z.string() });
const sourceSchema = z.looseObject({ id: z.string(), state: z.string(), documents: z.number() });

async function openShop(address: string) {
  const send = async (method: string, path: string, body?: object, token = adminToken): Promise<unknown> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const made = await send('POST', '/admin/v1/workspaces', { name: 'Shop' });
  const base = `/admin/v1/workspaces/${z.object({ id: z.string() }).parse(made).id}`;
  const { key } = z.object({ key: z.string() }).parse(await send('POST', `${base}/keys`, { name: 'Test' }));
  return {
    async add(name: string, content: string) {
      const url = `https://help.example/${name}`;
      const body = { title: name, url, content, content_type: 'text/markdown' };
      expect(await send('POST', `${base}/documents`, body)).toMatchObject({ url });
    },
    async ask(query: string) {
      return answerSchema.parse(await send('POST', '/v1/query', { query }, key)).answer;
    },
    async addSource(origin: string) {
      const settings = { url: `${origin}/sitemap.xml`, requests_per_second: 20 };
      const added = await send('POST', `${base}/sources`, { name: 'Site', kind: 'website', settings });
      const path = `${base}/sources/${sourceSchema.parse(added).id}`;
      return {
        look: async () => sourceSchema.parse(await send('GET', path)),
        call: (method: string, rest: string, body: object) => send(method, `${path}${rest}`, body),
      };
    },
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Adds pages at once. Returns the milliseconds until the last of them is answered from. */
async function timePages(shop: Shop, database: Kysely<Tables>, name: string): Promise<number> {
  const begun = performance.now();
  const pages = Array.from({ length: size.pages }, (_, page) => `${name}-${page}`);
  for (let at = 0; at < pages.length; at += 10) {
    await Promise.all(pages.slice(at, at + 10).map((page) => shop.add(page, pageOf(page))));
  }
  await expect
    .poll(() => countIndexed(database, `https://help.example/${name}-%`), { timeout: 600_000, interval: 100 })
    .toBe(size.pages);
  return performance.now() - begun;
}

async function timeChange(
  shop: Shop,
  source: Awaited<ReturnType<Shop['addSource']>>,
  origin: string,
): Promise<number> {
  const begun = performance.now();
  const named = await source.call('POST', '/changed', { addresses: [`${origin}/page/7`] });
  expect(named).toEqual({ taken: 1, left_out: [] });
  await expect.poll(() => shop.ask(QUESTION), { timeout: 300_000, interval: 200 }).toContain('4321 pounds');
  return performance.now() - begun;
}

async function countIndexed(database: Kysely<Tables>, urls: string): Promise<number> {
  const rows = await database
    .selectFrom('document')
    .select('id')
    .where('url', 'like', urls)
    .where('status', '=', 'indexed')
    .execute();
  return rows.length;
}

async function countWaiting(database: Kysely<Tables>): Promise<number> {
  const rows = await database
    .selectFrom('document')
    .select('id')
    .where('status', 'in', ['queued', 'indexing'])
    .execute();
  return rows.length;
}

/** Passages that their documents count and that are not there, and documents that failed. */
async function countMissing(database: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select coalesce(sum(abs(document.chunk_count - coalesce(there.passages, 0))), 0)::int
           + (count(*) filter (where document.status <> 'indexed'))::int as missing
    from document
    left join (
      select document_number, revision, count(*)::int as passages from chunk group by document_number, revision
    ) there on there.document_number = document.number and there.revision = document.revision
    where document.status <> 'deleted'
  `.execute(database);
  return rows[0]?.missing ?? 0;
}

/** A website whose pages a test changes and removes. */
async function openSite() {
  const changed = new Set<string>();
  let removed = 0;
  const paths = Array.from({ length: size.site }, (_, at) => `/page/${at}`);
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const at = Number(path.split('/').at(-1));
    if (path === '/sitemap.xml') {
      response.setHeader('content-type', 'application/xml');
      const list = paths.map((one) => `<url><loc>http://${request.headers.host}${one}</loc></url>`);
      response.end(`<urlset>${list.join('')}</urlset>`);
      return;
    }
    const isThere = paths.includes(path) && !(at >= 10 && at < 10 + removed);
    response.statusCode = isThere ? 200 : 404;
    response.setHeader('content-type', 'text/html');
    const deposit = changed.has(path) ? 4_321 : 100 + at;
    response.end(
      isThere
        ? `<html><head><title>Lantern ${at}</title></head><body><main><h1>Lantern ${at}</h1><p>The deposit for lantern ${at} is ${deposit} pounds. ${sentence(`lantern ${at}`, at)}</p></main></body></html>`
        : 'There is no such page.',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  if (place === null || typeof place === 'string') throw new TypeError('the site has no port');
  return {
    address: `http://127.0.0.1:${place.port}`,
    change: (path: string) => void changed.add(path),
    remove: (count: number) => {
      removed = count;
    },
    close: () => void server.close(),
  };
}
