import { type Kysely, sql, type Transaction } from 'kysely';
import { StartError } from '../../base/errors.ts';
import type { Tables } from '../tables/tables.ts';
import { type AppliedNames, hashText, knownNames, type Schema } from './schema-files.ts';

/** SHA-256 of the names of the 52 migrations of development versions, 0001-foundation to 0070-people, one a line. */
const lastDevelopmentVersion = 'f9541581a1d5c7bcd78738382b675b77f7d502bc13ca98ca61acf55fadc3d3a1';

/** Begins to record migrations. An empty database gets the tables of this version. */
export async function createOrAdopt(transaction: Transaction<Tables>, schema: Schema): Promise<void> {
  if ((await readApplied(transaction)) !== null) return;
  const isAdopted = await adoptDevelopmentVersion(transaction);
  await sql.raw(schema.migrationTable).execute(transaction);
  await recordName(transaction, 'baseline');
  if (isAdopted) return;
  await sql.raw(schema.tables).execute(transaction);
  for (const { name } of schema.migrations) await recordName(transaction, name);
}

/**
 * Removes the records of a development version whose tables equal the baseline, and returns whether its tables are there.
 * They are not if the database is empty, or its first start failed before it created one. Throws a StartError for any
 * other version.
 */
async function adoptDevelopmentVersion(transaction: Transaction<Tables>): Promise<boolean> {
  const found = await sql<{ is_older: boolean }>`
    select to_regclass('public.kysely_migration') is not null as is_older`.execute(transaction);
  if (found.rows[0]?.is_older !== true) return false;
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
  return names.length > 0;
}

/** Null without the table `migration`. */
export async function readApplied(database: Kysely<Tables>): Promise<AppliedNames | null> {
  const found = await sql<{ is_tracked: boolean }>`
    select to_regclass('public.migration') is not null as is_tracked`.execute(database);
  if (found.rows[0]?.is_tracked !== true) return null;
  const { rows } = await sql<{ name: string; hash: string | null }>`select name, hash from migration`.execute(
    database,
  );
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/** True if a newer version has written the database. */
export function hasUnknown(schema: Schema, applied: AppliedNames): boolean {
  const known = new Set(knownNames(schema));
  return applied.keys().some((name) => !known.has(name));
}

/** Records a migration, or the hash of the functions or triggers. */
export async function recordName(
  database: Kysely<Tables>,
  name: string,
  hash: string | null = null,
): Promise<void> {
  await sql`
    insert into migration (name, hash) values (${name}, ${hash})
    on conflict (name) do update set hash = excluded.hash, applied_at = excluded.applied_at`.execute(
    database,
  );
}
