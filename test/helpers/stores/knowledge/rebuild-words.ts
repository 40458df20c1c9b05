import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createLog } from '../../../../core/base/log.ts';
import { rebuildIndex } from '../../../../core/knowledge/indexing/rebuild-index.ts';
import type { Tables } from '../../../../core/storage/tables/tables.ts';

/** A process that rebuilds the word index as an ingest worker does, and ends. Tests that kill it use this script. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
process.stdout.write('started\n');
const completed = await rebuildIndex({
  database,
  log: createLog('silent'),
  signal: new AbortController().signal,
});
process.stdout.write(`completed ${completed}\n`);
await database.destroy();
