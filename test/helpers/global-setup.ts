import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../core/log.ts';
import { openQueue } from '../../core/queue/queue.ts';
import { openDatabase } from '../../core/storage/database.ts';
import { startPostgres } from './start-postgres.ts';
import { startRedis } from './start-redis.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with an initialised, empty database, to be copied. */
    templateFolder: string;
    /** A PostgreSQL server with pgvector, when this machine can run one. */
    postgresUrl: string | null;
    redisUrl: string | null;
  }
}

/** Once a run: what takes seconds to make is made here and copied by every test file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const templateFolder = join(folder, 'template');
  const [postgres, redis] = await Promise.all([
    startPostgres(join(folder, 'postgres')),
    startRedis(join(folder, 'redis')),
    initialise(templateFolder),
  ]);
  project.provide('templateFolder', templateFolder);
  project.provide('postgresUrl', postgres?.url ?? null);
  project.provide('redisUrl', redis?.url ?? null);
  return async () => {
    await Promise.all([postgres?.stop(), redis?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  };
}

async function initialise(folder: string): Promise<void> {
  const log = createLog('silent');
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, log);
  await openQueue({ pool: database.pool, redisUrl: undefined }, log);
  await database.close();
}
