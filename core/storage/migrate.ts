import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import { StartError } from '../errors.ts';
import type { Tables } from './tables/tables.ts';

const folder = new URL('./migrations/', import.meta.url);

/** The forward-only migrations: one SQL file each, in the order of their names. */
const sqlFiles: MigrationProvider = {
  async getMigrations() {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
    const migrations = await Promise.all(
      names.map(async (name) => [name.replace('.sql', ''), await load(name)]),
    );
    return Object.fromEntries(migrations);
  },
};

async function load(name: string): Promise<Migration> {
  const text = await readFile(new URL(name, folder), 'utf8');
  return {
    async up(database) {
      await sql.raw(text).execute(database);
    },
  };
}

/** Brings the database to this version under an advisory lock. Throws a StartError that says what to do. */
export async function migrate(database: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: database, provider: sqlFiles });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const reason = error instanceof Error ? error.message : String(error);
  if (/corrupted migrations|previously executed migration/.test(reason)) {
    throw new StartError(
      'The database was written by a newer version of Parley: start that version, or a newer one.',
      error,
    );
  }
  throw new StartError(`The database could not be brought up to date: ${reason}.${advice(reason)}`, error);
}

function advice(reason: string): string {
  if (/extension "vector"|vector\.control|type "vector"/.test(reason)) {
    return ' Install pgvector 0.8 or newer and run "create extension vector" as a superuser.';
  }
  if (/permission denied/.test(reason)) return ' Let the user of DATABASE_URL create tables and extensions.';
  return '';
}
