import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../../core/base/log.ts';
import { openQueue } from '../../../core/queue/queue.ts';
import { disableTelemetry, useCompileCache } from '../../../core/runtime/compile-cache.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { type PostgresServer, startPostgres } from '../stores/databases/start-postgres.ts';
import { startRedis } from '../stores/databases/start-redis.ts';
import { makeRunFolder } from './make-run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with an initialised, empty database, to be copied. */
    templateFolder: string;
    /** A PostgreSQL server with pgvector, when this machine can run one. */
    postgresUrl: string | null;
    /** The name of an initialised, empty database on it, to be copied. */
    postgresTemplate: string | null;
    redisUrl: string | null;
  }
}

/** Runs once for all tests: makes what takes seconds to make, and every test file copies it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The environment of the test processes: code that one has compiled is available to the others and to the next run.
  useCompileCache(process.env);
  disableTelemetry(process.env);
  const folder = makeRunFolder();
  const templateFolder = join(folder, 'template');
  const [postgres, redis] = await Promise.all([
    startPostgres(join(folder, 'postgres')),
    startRedis(join(folder, 'redis')),
    initialise({ DATA_DIR: templateFolder, DATABASE_URL: undefined }),
  ]);
  project.provide('templateFolder', templateFolder);
  project.provide('postgresUrl', postgres?.url ?? null);
  project.provide('postgresTemplate', postgres && (await makeTemplate(postgres)));
  project.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await Promise.all([postgres?.stop(), redis?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(postgres: PostgresServer): Promise<string> {
  const url = await postgres.newDatabase();
  await initialise({ DATA_DIR: '', DATABASE_URL: url });
  return new URL(url).pathname.slice(1);
}

async function initialise(place: Parameters<typeof openDatabase>[0]): Promise<void> {
  const log = createLog('silent');
  const database = await openDatabase(place, log);
  await openQueue({ pool: database.pool, redis: undefined }, log);
  await database.close();
}
