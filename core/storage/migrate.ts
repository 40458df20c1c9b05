import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { StartError } from '../errors.ts';
import { raisesError } from './sql-errors.ts';
import type { Tables } from './tables/tables.ts';

/** The key of Kysely's migrator, which development versions used, so that a starting one waits for this process. */
const lockKey = '3853314791062309107';

/** SQLSTATEs. */
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/** SHA-256 of the names of the 52 migrations of development versions, 0001-foundation to 0070-people, one a line. */
const lastDevelopmentVersion = 'f9541581a1d5c7bcd78738382b675b77f7d502bc13ca98ca61acf55fadc3d3a1';

/** Less than PostgreSQL's `deadlock_timeout` of a second: this transaction gives way, and not one of a running process. */
const tableLockTimeout = '500ms';
const retryPauseMs = 200;
/** Longer than the minute after which a session that idles in a transaction loses it. */
const maxLockWaitMs = 3 * 60_000;

/**
 * Brings the tables, functions and triggers of the database to this version, in one transaction: tables by the migrations
 * that it lacks (an empty database gets the current tables), functions and triggers if their files have changed. Processes
 * that start at the same time wait for each other. Throws a StartError that says what to do.
 */
export async function migrate(database: Kysely<Tables>): Promise<void> {
  const schema = await readSchema();
  const giveUpAt = Date.now() + maxLockWaitMs;
  for (;;) {
    try {
      // Each statement has to see what was committed while this process waited for the lock.
      const transaction = database.transaction().setIsolationLevel('read committed');
      return await transaction.execute((transaction) => updateSchema(transaction, schema));
    } catch (error) {
      const isLocked = raisesError(error, lockNotAvailable) || raisesError(error, deadlockDetected);
      if (!isLocked || Date.now() > giveUpAt) throw toStartError(error);
      await wait(retryPauseMs);
    }
  }
}

/** Returns whether the tables and functions of the database are those of this version. Changes nothing. */
export async function findSchemaState(database: Kysely<Tables>): Promise<'current' | 'older' | 'newer'> {
  const schema = await readSchema();
  const { rows } = await sql<{ name: string; hash: string | null }>`select name, hash from migration`.execute(
    database,
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const known = knownNames(schema);
  if ([...applied.keys()].some((name) => !known.includes(name))) return 'newer';
  const isComplete =
    known.every((name) => applied.has(name)) &&
    applied.get('functions') === hashText(schema.functions) &&
    applied.get('triggers') === hashText(schema.triggers);
  return isComplete ? 'current' : 'older';
}

function toStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`The database could not be brought up to date: ${reason}.${advice(reason)}`, error);
}

async function updateSchema(transaction: Transaction<Tables>, schema: Schema): Promise<void> {
  await lock(transaction);
  const isNew = await createOrAdopt(transaction, schema);
  const { rows } = await sql<{ name: string; hash: string | null }>`select name, hash from migration`.execute(
    transaction,
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  requireKnown([...applied.keys()], schema);
  const pending = schema.migrations.filter(({ name }) => !applied.has(name));
  for (const { name, text } of pending) {
    await sql.raw(text).execute(transaction);
    await record(transaction, name);
  }
  const functionsHash = hashText(schema.functions);
  // A migration may have dropped a function with a type or a table that it names.
  if (pending.length > 0 || applied.get('functions') !== functionsHash) {
    if (!isNew) await dropChangedFunctions(transaction, schema.functions);
    await sql.raw(schema.functions).execute(transaction);
    await record(transaction, 'functions', functionsHash);
  }
  const triggersHash = hashText(schema.triggers);
  if (applied.get('triggers') !== triggersHash) {
    await sql.raw(schema.triggers).execute(transaction);
    await record(transaction, 'triggers', triggersHash);
  }
}

/** Waits for another process that installs or upgrades, up to an hour: it may be building an index. */
async function lock(transaction: Transaction<Tables>): Promise<void> {
  await sql`set local lock_timeout to '1h'`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${sql.lit(lockKey)}::bigint)`.execute(transaction);
  await sql`set local lock_timeout to ${sql.lit(tableLockTimeout)}`.execute(transaction);
}

/** Returns whether the database was empty, and now has the tables of this version. */
async function createOrAdopt(transaction: Transaction<Tables>, schema: Schema): Promise<boolean> {
  const { rows } = await sql<{ is_tracked: boolean; is_older: boolean }>`
    select to_regclass('public.migration') is not null as is_tracked,
           to_regclass('public.kysely_migration') is not null as is_older`.execute(transaction);
  if (rows[0]?.is_tracked === true) return false;
  const names = rows[0]?.is_older === true ? await dropDevelopmentVersion(transaction) : [];
  const isNew = names.length === 0;
  await sql.raw(schema.migrationTable).execute(transaction);
  await record(transaction, 'baseline');
  if (isNew) {
    await sql.raw(schema.tables).execute(transaction);
    for (const { name } of schema.migrations) await record(transaction, name);
  }
  return isNew;
}

/**
 * Removes the records of a development version whose tables equal the baseline, and returns the names of its migrations. An
 * empty list means that its first start failed before it created a table. Throws a StartError for any other version.
 */
async function dropDevelopmentVersion(transaction: Transaction<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name collate "C"`.execute(transaction);
  const names = rows.map(({ name }) => name);
  if (names.length > 0 && hashText(names.join('\n')) !== lastDevelopmentVersion) {
    const version = names.at(-1)?.slice(0, 4);
    throw new StartError(
      `This database was created by an earlier development version (at migration ${version}). Export your data with that version, or start with an empty database.`,
    );
  }
  await sql`drop table kysely_migration, kysely_migration_lock`.execute(transaction);
  return names;
}

function requireKnown(applied: readonly string[], schema: Schema): void {
  const known = knownNames(schema);
  if (applied.every((name) => known.includes(name))) return;
  throw new StartError(
    'The database was written by a newer version of Parley: start that version, or a newer one.',
  );
}

/** The names in the table `migration` of a database of this version. */
function knownNames({ migrations }: Schema): readonly string[] {
  return ['baseline', 'functions', 'triggers', ...migrations.map(({ name }) => name)];
}

async function record(transaction: Transaction<Tables>, name: string, hash: string | null = null) {
  await sql`
    insert into migration (name, hash) values (${name}, ${hash})
    on conflict (name) do update set hash = excluded.hash, applied_at = excluded.applied_at`.execute(
    transaction,
  );
}

/**
 * Drops functions that `create or replace` cannot replace, or would leave beside the new ones, because their arguments or
 * results differ. PostgreSQL itself says what the new ones are: they are created as temporary functions and rolled back.
 */
async function dropChangedFunctions(transaction: Transaction<Tables>, functions: string): Promise<void> {
  await sql
    .raw(`
      savepoint signatures;
      set local search_path to pg_temp, public;
      set local check_function_bodies to off;
      ${functions}`)
    .execute(transaction);
  const { rows } = await sql<{ signature: string }>`
    select format('public.%I(%s)', proname, pg_get_function_identity_arguments(oid)) as signature
    from pg_proc as stored
    where pronamespace = 'public'::regnamespace
      and proname in (select proname from pg_proc where pronamespace = pg_my_temp_schema())
      and not exists (select from pg_depend where objid = stored.oid and deptype = 'e')
      and not exists (
        select from pg_proc as changed
        where pronamespace = pg_my_temp_schema() and proname = stored.proname
          and pg_get_function_arguments(oid) = pg_get_function_arguments(stored.oid)
          and pg_get_function_result(oid) = pg_get_function_result(stored.oid)
      )`.execute(transaction);
  await sql`rollback to savepoint signatures`.execute(transaction);
  for (const { signature } of rows) await sql.raw(`drop function ${signature}`).execute(transaction);
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function advice(reason: string): string {
  if (/extension "vector"|vector\.control|type "vector"/.test(reason)) {
    return ' Install pgvector 0.8 or newer and run "create extension vector" as a superuser.';
  }
  if (/lock timeout|deadlock/.test(reason)) {
    return ' Another session keeps a table locked, such as a backup: try again when it has ended.';
  }
  if (/permission denied/.test(reason)) return ' Let the user of DATABASE_URL create tables and extensions.';
  return '';
}

const folder = new URL('./schema/', import.meta.url);

/** Files of `schema/tables`, each after those that its foreign keys name. */
const tableFiles = [
  'workspaces',
  'members',
  'sources',
  'knowledge',
  'channels',
  'conversations',
  'pipeline',
  'visitors',
  'webhooks',
  'limits',
  'inbox',
];

interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** The text of the files in `schema/`, whose README says when each of them runs. */
interface Schema {
  readonly migrationTable: string;
  readonly tables: string;
  /** In the order in which they are applied. */
  readonly migrations: readonly SchemaFile[];
  readonly functions: string;
  readonly triggers: string;
}

/** Reads the schema of this version. */
async function readSchema(): Promise<Schema> {
  const [migrationTable, tables, migrations, functions, triggers] = await Promise.all([
    readSql('tables/migration.sql'),
    Promise.all(tableFiles.map((name) => readSql(`tables/${name}.sql`))),
    readFolder('migrations/'),
    readFolder('functions/'),
    readSql('triggers.sql'),
  ]);
  return {
    migrationTable,
    tables: tables.join('\n'),
    migrations,
    functions: functions.map(({ text }) => text).join('\n'),
    triggers,
  };
}

async function readFolder(path: string): Promise<readonly SchemaFile[]> {
  const files = (await readdir(new URL(path, folder))).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => ({ name: file.replace('.sql', ''), text: await readSql(path + file) })),
  );
}

function readSql(path: string): Promise<string> {
  return readFile(new URL(path, folder), 'utf8');
}
