import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { openUnmigrated } from '../storage/database.ts';
import { tryMigrationLock } from '../storage/migrate.ts';
import { Settings } from '../storage/settings.ts';
import { BackupRefusal } from './backup-refusal.ts';
import {
  compareCounts,
  countRows,
  type DatabaseFacts,
  listTables,
  type RunQuery,
  readFacts,
} from './database-facts.ts';
import { forgetBackup } from './last-backup.ts';
import type { Manifest } from './manifest.ts';
import { requireTool, runTool, type ToolCall } from './postgres-tools.ts';

const DUMP = 'database.dump';

interface PostgresOptions extends Pick<ToolCall, 'url' | 'environment' | 'signal'> {
  readonly log: Logger;
}

/** The process waits that long for a migration that holds a table, and then gives up. */
const LOCK_WAIT = '60s';

/** Dumps the database with pg_dump. The rows are counted in the snapshot that it dumps. Throws a BackupRefusal. */
export async function fillFromPostgres(folder: string, options: PostgresOptions): Promise<DatabaseFacts> {
  return withSession(options, async (run) => {
    await requireTool('pg_dump', await readMajor(run), options.environment);
    await run('begin isolation level repeatable read read only');
    // The transaction stays open for as long as the dump takes.
    await run('set local idle_in_transaction_session_timeout to 0');
    const facts = await readFacts(run);
    const snapshot = await readText(run, 'select pg_export_snapshot() as text');
    const args = ['--format=custom', `--snapshot=${snapshot}`, `--lock-wait-timeout=${LOCK_WAIT}`];
    await runTool({ ...options, name: 'pg_dump', args: [...args, `--file=${join(folder, DUMP)}`] });
    await run('commit');
    return facts;
  });
}

/**
 * Restores the dump into an empty database that nobody else uses, in one transaction, and counts the rows. A process that
 * starts meanwhile waits. Throws a BackupRefusal.
 */
export async function restorePostgres(
  backup: string,
  manifest: Manifest,
  options: PostgresOptions,
): Promise<void> {
  await withSession(options, async (run, settings) => {
    await requireTool('pg_restore', await readMajor(run), options.environment);
    await requireUnused(run);
    await requireEmpty(run);
    await createExtension(run);
    // The dump names the owner and the rights of the former database, and a comment of the extension's owner.
    const args = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments'];
    const atomic = ['--single-transaction', '--exit-on-error'];
    await runTool({ ...options, name: 'pg_restore', args: [...args, ...atomic, join(backup, DUMP)] });
    const differences = compareCounts(manifest.tables, await countRows(run));
    if (differences.length > 0) {
      throw new BackupRefusal(
        `The restored rows differ: ${differences.slice(0, 5).join(', ')}. Drop the database, and restore into a new one that nobody uses.`,
      );
    }
    await forgetBackup(settings);
    await run('analyze');
  });
}

async function requireUnused(run: RunQuery): Promise<void> {
  const locked = await readText(run, `select locked::text as text from (${tryMigrationLock}) lock`);
  const others = await readText(
    run,
    `select count(*)::text as text from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and coalesce(backend_type, 'client backend') = 'client backend'`,
  );
  if (locked === 'true' && others === '0') return;
  throw new BackupRefusal(
    `The database of DATABASE_URL is in use by ${others} other sessions. Stop every process that uses it, then restore.`,
  );
}

async function requireEmpty(run: RunQuery): Promise<void> {
  const tables = await listTables(run);
  if (tables.length === 0) return;
  throw new BackupRefusal(
    `The database of DATABASE_URL is not empty: it has ${tables.length} tables, such as ${tables[0]}. Create an empty database, and set DATABASE_URL to it.`,
  );
}

async function createExtension(run: RunQuery): Promise<void> {
  try {
    await run('create extension if not exists vector');
  } catch (error) {
    throw new BackupRefusal(
      'The database of DATABASE_URL lacks the extension vector, and its user cannot create it. Install pgvector 0.8 or newer, and run "create extension vector" there as a superuser.',
      error,
    );
  }
}

async function readMajor(run: RunQuery): Promise<number> {
  return Math.floor(
    Number(await readText(run, "select current_setting('server_version_num') as text")) / 10_000,
  );
}

async function readText(run: RunQuery, statement: string): Promise<string> {
  const [row] = await run(statement);
  const text = typeof row === 'object' && row !== null && 'text' in row ? row.text : null;
  return typeof text === 'string' ? text : '';
}

/** Runs on one session, so that locks and transactions are kept. */
async function withSession<Result>(
  { url, log }: PostgresOptions,
  use: (run: RunQuery, settings: Settings) => Promise<Result>,
): Promise<Result> {
  const { pool, kysely } = await openUnmigrated(url, log);
  try {
    const session = await pool.connect();
    try {
      return await use(async (text) => (await session.query(text)).rows, new Settings(kysely));
    } catch (error) {
      throw explainRefusal(error);
    } finally {
      // Another transaction must not find the lock or the snapshot.
      session.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** An error of a statement, such as a missing right, is the operator's to mend. */
function explainRefusal(error: unknown): unknown {
  if (!(error instanceof Error && 'severity' in error)) return error;
  return new BackupRefusal(
    `The database of DATABASE_URL refused: ${error.message}. Correct that, and try again.`,
    error,
  );
}
