import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../../core/base/log.ts';
import { openDatabase } from '../../core/storage/database.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { plainReader } from '../helpers/models/plain-reader.ts';
import { runProduct, startProduct } from '../helpers/servers/run-product.ts';
import { testDataFolder } from '../helpers/stores/test-data-folder.ts';
import { createDatabase, testEngines } from '../helpers/stores/test-databases.ts';

const adminToken = 'a-token-for-the-tests';
const documents = 50;
const askedKills = process.env.PARLEY_KILLS;
const kills = Number(askedKills ?? 2);
/** How long a worker that has started works at most until it is killed. */
const MAX_LIFE_MS = 1_500;

/** What the provider has embedded, over all processes. */
const embedded = new Map<string, number>();
const provider = createServer(async (request, response) => {
  const { input } = z.object({ input: z.array(z.string()) }).parse(await json(request));
  for (const text of input) embedded.set(text, (embedded.get(text) ?? 0) + 1);
  await wait(20);
  const data = input.map((text, index) => ({
    index,
    embedding: Array.from({ length: 64 }, (_, at) => (at === text.length % 64 ? 1 : 0.01)),
  }));
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
});
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
const { port } = z.object({ port: z.number() }).parse(provider.address());
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
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
  /** Kills a process that indexes, and starts another one. Resolves when that works. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Storage of one process is killed as a whole. */
async function openEmbedded(environment: Readonly<Record<string, string>>): Promise<Installation> {
  let parley = await runProduct(environment);
  return {
    environment,
    address: () => parley.address,
    async kill() {
      await parley.end('SIGKILL');
      parley = await runProduct(environment);
    },
    async stop() {
      expect(await parley.end('SIGTERM')).toBe(0);
    },
  };
}

/** A server, and two processes that index. One of them is killed at a time. */
async function openDistributed(environment: Readonly<Record<string, string>>): Promise<Installation> {
  const server = await runProduct(environment, { words: ['server'] });
  const startWorker = async () => {
    const worker = startProduct({ ...environment, LOG_LEVEL: 'info' }, ['workers', 'ingest']);
    await new Promise<void>((resolve) => {
      worker.stderr.on('data', (line: Buffer) => line.includes('workers started') && resolve());
    });
    return worker;
  };
  const workers = [await startWorker(), await startWorker()];
  return {
    environment,
    address: () => server.address,
    async kill() {
      workers.shift()?.kill('SIGKILL');
      workers.push(await startWorker());
    },
    async stop() {
      for (const worker of workers) worker.kill('SIGKILL');
      await server.end('SIGTERM');
    },
  };
}

const call = async (address: string, method: string, path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${address}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
};
const countsSchema = z.object({
  statuses: z.object({ queued: z.number(), indexing: z.number(), indexed: z.number(), failed: z.number() }),
});

async function openInstallation(engine: 'embedded' | 'postgres'): Promise<Installation> {
  const environment = {
    ...{ DATA_DIR: testDataFolder(), ADMIN_TOKEN: adminToken, EMBEDDING_MODEL: 'lab:small' },
    OPENAI_COMPATIBLE_BASE_URL_LAB: `http://127.0.0.1:${port}/v1`,
  };
  if (engine === 'embedded') return openEmbedded(environment);
  return openDistributed({ ...environment, DATABASE_URL: await createDatabase() });
}

// The documents of a dead process wait for the end of its lease where others may use the database: only if asked for.
const engines = testEngines.filter((engine) => engine === 'embedded' || askedKills !== undefined);

test.each(engines)(
  'documents are whole after their workers were killed, on %s',
  async (engine) => {
    const { environment, address, kill, stop } = await openInstallation(engine);
    const workspace = z
      .object({ id: z.string() })
      .parse(await call(address(), 'POST', '/workspaces', { name: 'Shop' })).id;
    const path = `/workspaces/${workspace}/documents`;
    let version = 0;
    const addAll = async () => {
      version += 1;
      for (let page = 0; page < documents; page += 1) {
        const added = await call(address(), 'POST', path, {
          ...{ title: `Page ${page}`, url: `https://help.example/${page}` },
          ...{ content: pageOf(page, version), content_type: 'text/markdown' },
        });
        expect(added).toMatchObject({ url: expect.any(String) });
      }
    };
    const count = async () => countsSchema.parse(await call(address(), 'GET', `${path}/counts`)).statuses;
    await addAll();
    for (let done = 0; done < kills; done += 1) {
      // The moment of the kill matters, so it differs each time.
      await wait(MAX_LIFE_MS * ((done * 7) % 10) * 0.1);
      const { queued, indexing } = await count();
      if (queued + indexing < 8) await addAll();
      await kill();
    }
    await expect
      .poll(count, { timeout: 200_000, interval: 500 })
      .toEqual({ queued: 0, indexing: 0, indexed: documents, failed: 0 });
    // Earlier passages are removed after that.
    await expect.poll(() => countJobs(address()), { timeout: 60_000 }).toEqual({ waiting: 0, failed: 0 });
    if (engine === 'postgres') {
      await expect
        .poll(() => inDatabase(environment, countLeases), { timeout: 90_000, interval: 2_000 })
        .toBe(0);
    }
    await stop();
    await inDatabase(environment, async (database) => {
      expect(await contents(database)).toEqual(await expectedContents(version));
      expect(await faults(database)).toEqual({
        ...{ withoutVector: 0, wrongCounts: 0, wrongPostings: 0 },
        ...{ leases: 0, passages: 0, uploads: 0 },
      });
    });
    if (askedKills === undefined) return;
    const again = [...embedded.values()].filter((times) => times > 1).length;
    process.stderr.write(
      `${engine}: ${kills} kills, ${version} versions, ${embedded.size} texts, ${again} embedded again\n`,
    );
  },
  7_200_000,
);

async function countJobs(address: string): Promise<object | undefined> {
  const { queues } = z
    .object({ queues: z.array(z.object({ name: z.string(), waiting: z.number(), failed: z.number() })) })
    .parse(await call(address, 'GET', '/queues'));
  const ingest = queues.find(({ name }) => name === 'ingest');
  return ingest && { waiting: ingest.waiting, failed: ingest.failed };
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

const ours = sql`document.url like 'https://help.example/%'`;

async function countLeases(database: Kysely<Tables>): Promise<number> {
  const rows = await database.selectFrom('indexing_lease').select('document_number').execute();
  return rows.length;
}

/** The passages of all revisions that there are, by document. */
async function contents(database: Kysely<Tables>): Promise<object> {
  const { rows } = await sql<{ title: string; passages: readonly string[] }>`
    select document.title, json_agg(chunk.body order by chunk.revision, chunk.ordinal) as passages
    from document join chunk on chunk.document_number = document.number
    where ${ours} group by document.title
  `.execute(database);
  return Object.fromEntries(rows.map(({ title, passages }) => [title, passages]));
}

async function expectedContents(version: number): Promise<object> {
  const pages: Record<string, readonly string[]> = {};
  for (let page = 0; page < documents; page += 1) {
    const source = {
      bytes: Buffer.from(pageOf(page, version)),
      contentType: 'text/markdown',
      fileName: null,
    };
    const { chunks } = await plainReader.read(source, { workspaceId: '' });
    pages[`Page ${page}`] = chunks.map(({ body }) => body);
  }
  return pages;
}

async function faults(database: Kysely<Tables>): Promise<object | undefined> {
  const { rows } = await sql<object>`
    select
      (select count(*)::int from chunk join document on document.number = chunk.document_number
        where ${ours} and not exists (select from model_vector where chunk_id = chunk.id)) as "withoutVector",
      (select count(*)::int from term_count counted where chunk_count <> (
        select count(*) from posting where posting.scope_id = counted.scope_id and posting.term = counted.term
      )) as "wrongCounts",
      (select count(*)::int from chunk where not exists (select from posting where chunk_id = chunk.id)) +
        (select count(*)::int from posting where not exists (select from chunk where id = chunk_id)) as "wrongPostings",
      (select count(*)::int from indexing_lease) as leases,
      (select count(*)::int from indexing_passage) as passages,
      (select count(*)::int from document_upload) as uploads
  `.execute(database);
  return rows[0];
}
