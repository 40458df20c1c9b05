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
import { findWrongWords } from '../../helpers/stores/knowledge/word-counts.ts';

const adminToken = 'a-token-for-the-tests';
const documents = 50;
/** `PARLEY_KILLS=200` for a run of an hour, in all places. */
const askedKills = process.env.PARLEY_KILLS;
const kills = Number(askedKills ?? 2);
/** How long a worker that has started works at most until it is killed. */
const MAX_LIFE_MS = 1_500;

const redisUrl = inject('redisUrl');
/** Where the documents and the queue are. */
const places = ['embedded storage', 'PostgreSQL', 'PostgreSQL with Redis'] as const;
type Place = (typeof places)[number];
const isThere: Readonly<Record<Place, boolean>> = {
  'embedded storage': true,
  PostgreSQL: testEngines.includes('postgres'),
  'PostgreSQL with Redis': testEngines.includes('postgres') && redisUrl !== null,
};

/** The texts that the provider has embedded, over all processes. */
const embedded = new Map<string, number>();
let requests = 0;
const { environment: embedding } = await startEmbeddingProvider({
  dimensions: 64,
  async onTexts(texts) {
    requests += 1;
    for (const text of texts) embedded.set(text, (embedded.get(text) ?? 0) + 1);
    await wait(20);
  },
});

const pageOf = (page: number, version: number) =>
  Array.from(
    { length: 3 + (page % 40) },
    (_, part) =>
      `## Part ${part}\n\nOn page ${page} the kettle of version ${version} has part ${part} ${'below its lid, '.repeat(part % 7)}.\n\n`,
  ).join('');

interface Installation {
  readonly environment: Readonly<Record<string, string>>;
  readonly address: () => string;
  /** The number of processes that index. */
  readonly workers: number;
  /** Kills one of them, and starts another one in its place. Resolves when that works. */
  readonly kill: (worker: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Storage of one process is killed as a whole. */
async function openEmbedded(environment: Readonly<Record<string, string>>): Promise<Installation> {
  let parley = await runProduct(environment);
  return {
    environment,
    address: () => parley.address,
    workers: 1,
    async kill() {
      await parley.end('SIGKILL');
      parley = await runProduct(environment);
    },
    async stop() {
      expect(await parley.end('SIGTERM')).toBe(0);
    },
  };
}

/** A server, and three processes that index. Only these are killed. */
async function openDistributed(environment: Readonly<Record<string, string>>): Promise<Installation> {
  const server = await runProduct(environment, { words: ['server'] });
  const startWorker = async () => {
    const worker = startProduct({ ...environment, LOG_LEVEL: 'info' }, ['workers', 'ingest']);
    let logged = '';
    await new Promise<void>((started, failed) => {
      worker.stderr.on('data', (lines: Buffer) => {
        logged += lines.toString();
        if (logged.includes('workers started')) started();
      });
      worker.once('exit', () => failed(new Error(`a worker ended at its start: ${logged}`)));
    });
    return worker;
  };
  const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
  return {
    environment,
    address: () => server.address,
    workers: workers.length,
    async kill(worker) {
      workers[worker]?.kill('SIGKILL');
      workers[worker] = await startWorker();
    },
    async stop() {
      for (const worker of workers) worker.kill('SIGKILL');
      await server.end('SIGTERM');
    },
  };
}

async function openInstallation(place: Place): Promise<Installation> {
  const environment = { ...embedding, DATA_DIR: testDataFolder(), ADMIN_TOKEN: adminToken };
  if (place === 'embedded storage') return openEmbedded(environment);
  return openDistributed({
    ...environment,
    DATABASE_URL: await createDatabase(),
    ...(place === 'PostgreSQL with Redis' && redisUrl !== null && { REDIS_URL: redisUrl }),
  });
}

// If others may use the database, the documents of a dead process wait for the end of its lease; they are released
// only on request.
const wanted = places.filter(
  (place) => isThere[place] && (place === 'embedded storage' || askedKills !== undefined),
);

test.each(wanted)(
  'documents are whole after their workers were killed, on %s',
  async (place) => {
    embedded.clear();
    const killed = await openInstallation(place);
    const shop = await openShop(killed.address);
    let version = 1;
    await shop.addAll(version);
    let isAdding = false;
    const keepKilling = async (worker: number): Promise<void> => {
      for (let done = worker; done < kills; done += killed.workers) {
        const before = requests;
        const { queued, indexing } = await shop.count();
        if (queued + indexing < 8 && !isAdding) {
          isAdding = true;
          version += 1;
          await shop.addAll(version);
          isAdding = false;
        }
        // On a slow machine too, half of the kills come in the middle of work.
        if (done % 2 === 1) await expect.poll(() => requests, { timeout: 120_000 }).not.toBe(before);
        // The moment of the kill matters, so it differs each time.
        await wait(MAX_LIFE_MS * ((done * 7) % 10) * 0.1);
        await killed.kill(worker);
        if (done % 20 === 19) process.stderr.write(`${place}: kill ${done + 1}\n`);
      }
    };
    await Promise.all(Array.from({ length: killed.workers }, (_, worker) => keepKilling(worker)));
    await shop.settle();
    if (place !== 'embedded storage') await settleWorkers(killed, shop);
    await killed.stop();
    const again = [...embedded.values()].filter((times) => times > 1).length;

    const contents = await inDatabase(killed.environment, loadContents);
    expect(Object.keys(contents)).toHaveLength(documents);
    for (const { title, status, chunk_count, isNewest, passages } of Object.values(contents)) {
      expect({ title, status, isNewest }).toEqual({ title, status: 'indexed', isNewest: true });
      expect(passages).toHaveLength(chunk_count);
    }
    expect(await inDatabase(killed.environment, findWrongWords)).toEqual([]);
    expect(await inDatabase(killed.environment, countLeftovers)).toEqual({
      leases: 0,
      passages: 0,
      uploads: 0,
    });
    if (askedKills === undefined) return;
    const clean = await openInstallation(place);
    const sameShop = await openShop(clean.address);
    await sameShop.addAll(version);
    await sameShop.settle();
    await clean.stop();
    expect(contents).toEqual(await inDatabase(clean.environment, loadContents));
    process.stderr.write(
      `${place}: ${kills} kills, ${version} versions, ${embedded.size} texts, ${again} embedded again\n`,
    );
  },
  7_200_000,
);

const countsSchema = z.object({
  statuses: z.object({ queued: z.number(), indexing: z.number(), indexed: z.number(), failed: z.number() }),
});
const queuesSchema = z.object({
  queues: z.array(
    z.object({
      ...{ name: z.string(), waiting: z.number(), delayed: z.number() },
      ...{ active: z.number(), failed: z.number() },
    }),
  ),
});

/** A workspace whose documents are added all at once. */
async function openShop(address: () => string) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address()}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const { id } = z.object({ id: z.string() }).parse(await call('POST', '/workspaces', { name: 'Shop' }));
  const path = `/workspaces/${id}/documents`;
  const count = async () => countsSchema.parse(await call('GET', `${path}/counts`)).statuses;
  const countJobs = async () => {
    const { queues } = queuesSchema.parse(await call('GET', '/queues'));
    return queues.find(({ name }) => name === 'ingest');
  };
  return {
    count,
    countJobs,
    async addAll(version: number): Promise<void> {
      for (let page = 0; page < documents; page += 1) {
        const added = await call('POST', path, {
          ...{ title: `Page ${page}`, url: `https://help.example/${page}` },
          ...{ content: pageOf(page, version), content_type: 'text/markdown' },
        });
        expect(added).toMatchObject({ url: `https://help.example/${page}` });
      }
    },
    /** Resolves when all documents are indexed, and the passages of their earlier revisions are removed. */
    async settle(): Promise<void> {
      await expect
        .poll(count, { timeout: 200_000, interval: 500 })
        .toEqual({ queued: 0, indexing: 0, indexed: documents, failed: 0 });
      await expect.poll(countJobs, { timeout: 60_000 }).toMatchObject({ waiting: 0, delayed: 0, failed: 0 });
    },
  };
}

/** Resolves when nothing of the dead workers is left: their leases, and their jobs that the queue takes for running. */
async function settleWorkers(
  { environment }: Installation,
  { countJobs }: Awaited<ReturnType<typeof openShop>>,
): Promise<void> {
  await expect
    .poll(() => inDatabase(environment, countLeftovers), { timeout: 90_000, interval: 2_000 })
    .toMatchObject({ leases: 0 });
  await expect
    .poll(countJobs, { timeout: 180_000, interval: 1_000 })
    .toMatchObject({ waiting: 0, delayed: 0, active: 0, failed: 0 });
}

async function inDatabase<Result>(
  { DATA_DIR = '', DATABASE_URL }: Readonly<Record<string, string>>,
  look: (database: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ DATA_DIR, DATABASE_URL }, createLog('silent'));
  try {
    return await look(database.kysely);
  } finally {
    await database.close();
  }
}

interface Content {
  readonly title: string;
  readonly status: string;
  readonly chunk_count: number;
  readonly isNewest: boolean;
  readonly passages: readonly unknown[];
}

/** Everything stored of the documents, by title, with the passages of all revisions that there are. */
async function loadContents(database: Kysely<Tables>): Promise<Readonly<Record<string, Content>>> {
  const { rows } = await sql<Content>`
    select document.title, document.url, status, chunk_count,
           document.revision = wanted_revision as "isNewest",
           json_agg(passage.told order by passage.revision, passage.ordinal) as passages
    from document
    join (
      select document_number, revision, ordinal,
             json_build_array(ordinal, chunk.title, headings, body, text_hash, md5(embedding::text)) as told
      from chunk left join model_vector on model_vector.chunk_id = chunk.id
    ) as passage on passage.document_number = document.number
    where document.url like 'https://help.example/%'
    group by document.id
  `.execute(database);
  return Object.fromEntries(rows.map((row) => [row.title, row]));
}

/** Counts the rows that exist only while a document is indexed. */
async function countLeftovers(database: Kysely<Tables>): Promise<object | undefined> {
  const { rows } = await sql<object>`
    select
      (select count(*)::int from indexing_lease) as leases,
      (select count(*)::int from indexing_passage) as passages,
      (select count(*)::int from document_upload) as uploads
  `.execute(database);
  return rows[0];
}
