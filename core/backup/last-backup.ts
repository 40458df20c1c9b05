import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Logger } from '../base/log.ts';
import { openUnmigrated } from '../storage/database.ts';
import { Settings } from '../storage/settings.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A backup older than that is too old: one a day, with time for a late one. */
export const MAX_BACKUP_AGE_HOURS = 36;

/** The file in DATA_DIR that tells of the last backup of an embedded database. No backup contains it. */
const FILE = 'last-backup.json';
const SETTING = 'last_backup';

const recordSchema = z.object({ taken_at: z.iso.datetime(), database: z.string() });

/**
 * The places where the last backup is recorded. An embedded database has it beside its files, which a restore does not bring
 * back. PostgreSQL has it in the database, because many processes ask, with the identity of that database: in one that
 * was restored from a dump, the record of the former one does not count.
 */
interface Places {
  readonly engine: 'embedded' | 'postgres';
  readonly kysely: Kysely<Tables>;
  readonly settings: Pick<Settings, 'get'>;
  /** DATA_DIR. */
  readonly folder: string;
}

/** Returns when the last backup was taken. Null if there was none since the database was created or restored. */
export async function findLastBackup({ engine, kysely, settings, folder }: Places): Promise<Date | null> {
  const text = engine === 'embedded' ? readRecordFile(folder) : await settings.get(SETTING);
  const record = parseRecord(text);
  if (record === null) return null;
  if (engine === 'postgres' && record.database !== (await identifyDatabase(kysely))) return null;
  return new Date(record.taken_at);
}

/** Records a complete backup of the embedded database of this folder. */
export function recordEmbeddedBackup(folder: string, takenAt: Date): void {
  const path = join(folder, FILE);
  const record = { taken_at: takenAt.toISOString(), database: 'embedded' };
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** Records a complete backup of a PostgreSQL database, for all of its processes. Throws a StartError. */
export async function recordPostgresBackup(
  { url, log }: { readonly url: string; readonly log: Logger },
  takenAt: Date,
): Promise<void> {
  const { pool, kysely } = await openUnmigrated(url, log);
  try {
    const record = { taken_at: takenAt.toISOString(), database: await identifyDatabase(kysely) };
    await new Settings(kysely).set(SETTING, JSON.stringify(record));
  } finally {
    await pool.end();
  }
}

/** After a restore, the record in the database is that of the one that was backed up. */
export function forgetBackup(settings: Pick<Settings, 'remove'>): Promise<void> {
  return settings.remove(SETTING);
}

/** The server's own number, and that of the database on it. A dump carries neither. */
async function identifyDatabase(kysely: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select system_identifier || '/' || oid as id from pg_control_system(), pg_database
    where datname = current_database()`.execute(kysely);
  return rows[0]?.id ?? '';
}

function readRecordFile(folder: string): string | null {
  try {
    return readFileSync(join(folder, FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function parseRecord(text: string | null): z.output<typeof recordSchema> | null {
  if (text === null) return null;
  try {
    return recordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
