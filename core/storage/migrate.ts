import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { StartError } from '../base/errors.ts';
import { hasUnknown, readApplied } from './migrating/baseline.ts';
import { Migrator, type MigratorOptions } from './migrating/migrator.ts';
import { isComplete, readSchema } from './migrating/schema-files.ts';
import type { Tables } from './tables/tables.ts';

/** The key of the lock that the migrating process holds in its session, from its first step to its last. */
const sessionLockKey = '3853314791062309108';
const LOCK_POLL_MS = 200;

interface MigrateOptions extends MigratorOptions {
  /** Runs before this process migrates, or waits for another one that does. */
  readonly onPending?: (() => void) | undefined;
}

/**
 * Brings the tables, functions and triggers of the database to this version, step by step, each in a short transaction
 * that also records it: an interrupted process continues there at its next start. An empty database gets the current
 * tables. One process migrates; others that start meanwhile wait for it. Throws a StartError that says what to do.
 */
export async function migrate(database: Kysely<Tables>, options: MigrateOptions): Promise<void> {
  const schema = await readSchema();
  try {
    await database.connection().execute(async (session) => {
      const applied = await readApplied(session);
      if (applied !== null && !hasUnknown(schema, applied) && isComplete(schema, applied)) return;
      options.onPending?.();
      await waitForSessionLock(session);
      try {
        await new Migrator(session, schema, options).run();
      } finally {
        await sql`select pg_advisory_unlock(${sql.lit(sessionLockKey)}::bigint)`.execute(session);
      }
    });
  } catch (error) {
    throw toStartError(error);
  }
}

/** Returns whether the tables and functions of the database are those of this version. Changes nothing. */
export async function findSchemaState(database: Kysely<Tables>): Promise<'current' | 'older' | 'newer'> {
  const schema = await readSchema();
  const applied = (await readApplied(database)) ?? new Map();
  if (hasUnknown(schema, applied)) return 'newer';
  return isComplete(schema, applied) ? 'current' : 'older';
}

/** A statement that returns in `locked` whether its session got the lock that migrations hold. It never waits. */
export const tryMigrationLock = `select pg_try_advisory_lock(${sessionLockKey}::bigint) as locked`;

/** Asks again and again instead of waiting inside a statement, which would hold a snapshot. */
async function waitForSessionLock(session: Kysely<Tables>): Promise<void> {
  for (;;) {
    const { rows } = await sql.raw<{ locked: boolean }>(tryMigrationLock).execute(session);
    if (rows[0]?.locked === true) return;
    await wait(LOCK_POLL_MS);
  }
}

function toStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError(`The database could not be brought up to date: ${reason}.${advice(reason)}`, error);
}

function advice(reason: string): string {
  if (/extension "vector"|vector\.control|type "vector"/.test(reason)) {
    return ' Install pgvector 0.8 or newer and run "create extension vector" as a superuser.';
  }
  if (/lock timeout|deadlock/.test(reason)) {
    return ' Another session keeps a table locked, such as a backup: try again when it has ended. What was done is kept.';
  }
  if (/permission denied/.test(reason)) return ' Let the user of DATABASE_URL create tables and extensions.';
  return '';
}
