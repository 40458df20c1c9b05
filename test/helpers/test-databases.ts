import { afterAll, inject } from 'vitest';
import { createLog } from '../../core/log.ts';
import { type Database, openDatabase } from '../../core/storage/database.ts';
import { createDatabaseOn } from './create-database-on.ts';
import { testDataFolder } from './test-data-folder.ts';

/** The engines that this machine can test on: the embedded one always, PostgreSQL where it is installed. */
export const testEngines: readonly ('embedded' | 'postgres')[] =
  inject('postgresUrl') === null ? ['embedded'] : ['embedded', 'postgres'];

/** An empty database of the test file's own on that engine, closed after the file. */
export async function openTestDatabase(engine: 'embedded' | 'postgres'): Promise<Database> {
  const url = engine === 'postgres' ? await createDatabase() : undefined;
  const database = await openDatabase({ DATA_DIR: testDataFolder(), DATABASE_URL: url }, createLog('silent'));
  afterAll(() => database.close());
  return database;
}

/** The address of a new, empty database on the run's PostgreSQL server. */
export async function createDatabase(): Promise<string> {
  const server = inject('postgresUrl');
  if (server === null) throw new TypeError('this machine has no PostgreSQL');
  return createDatabaseOn(server);
}
