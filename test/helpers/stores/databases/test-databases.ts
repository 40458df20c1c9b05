import { afterAll, inject } from 'vitest';
import { createLog } from '../../../../core/base/log.ts';
import { type Database, openDatabase } from '../../../../core/storage/database.ts';
import { borrowDatabase } from './borrow-database.ts';
import { createDatabaseOn } from './create-database-on.ts';
import { emptyTestFolder, testDataFolder } from './test-data-folder.ts';

/** The engines that this machine can test on: the embedded one always, PostgreSQL where it is installed. */
export const testEngines: readonly ('embedded' | 'postgres')[] =
  inject('postgresUrl') === null ? ['embedded'] : ['embedded', 'postgres'];

/** An empty database of the test file's own on that engine, closed after the file. */
export async function openTestDatabase(engine: 'embedded' | 'postgres'): Promise<Database> {
  const database =
    engine === 'embedded'
      ? await borrowDatabase(emptyTestFolder())
      : await openDatabase({ DATA_DIR: '', DATABASE_URL: await createDatabase() }, createLog('silent'));
  afterAll(() => database.close());
  return database;
}

/** The same for a test that reads or changes the schema: no other test has used it, and none will. */
export async function openUnusedDatabase(engine: 'embedded' | 'postgres'): Promise<Database> {
  if (engine === 'postgres') return openTestDatabase(engine);
  const database = await openDatabase(
    { DATA_DIR: testDataFolder(), DATABASE_URL: undefined },
    createLog('silent'),
  );
  afterAll(() => database.close());
  return database;
}

/** The address of a new database on the run's PostgreSQL server: with our tables, and nothing in them. */
export async function createDatabase(): Promise<string> {
  return createDatabaseOn(postgresServer(), inject('postgresTemplate') ?? undefined);
}

/** The same without tables. */
export async function createBareDatabase(): Promise<string> {
  return createDatabaseOn(postgresServer());
}

function postgresServer(): string {
  const server = inject('postgresUrl');
  if (server === null) throw new TypeError('this machine has no PostgreSQL');
  return server;
}
