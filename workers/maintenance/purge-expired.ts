import { sql } from 'kysely';
import { restorableTables } from '../../core/storage/restorable.ts';
import { batchRows, type TaskContext } from './task.ts';

/** Deletes what was deleted and can no longer be restored. */
export async function purgeDeleted({ transaction, now }: TaskContext): Promise<number> {
  let maxRows = 0;
  for (const table of [...restorableTables, 'removed_tag'] as const) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where restorable_until <= ${now} limit ${batchRows} for update skip locked
      ))
    `.execute(transaction);
    maxRows = Math.max(maxRows, Number(numAffectedRows));
  }
  return maxRows;
}

/** Longer than any platform repeats a delivery. */
const EVENT_RETENTION_DAYS = 2;

/** Deletes handled events. Until then their ids serve to detect duplicates. */
export async function purgeEvents({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - EVENT_RETENTION_DAYS * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from inbound_event where number in (
      select number from inbound_event
      where handled_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

const DELIVERY_RETENTION_DAYS = 7;

/** Deletes webhook deliveries that succeeded or were given up at least a week ago. */
export async function purgeDeliveries({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - DELIVERY_RETENTION_DAYS * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery
      where status <> 'pending' and queued_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** Longer than people usually resume an email thread. */
const MEMORY_RETENTION_DAYS = 400;

/** Deletes remembered values that no delivery has refreshed for that time. */
export async function purgeRememberedValues({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - MEMORY_RETENTION_DAYS * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from channel_memory where (channel_id, key) in (
      select channel_id, key from channel_memory
      where at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes expired sessions, and visitors without a session or conversation. */
export async function purgeVisitors({ transaction, now }: TaskContext): Promise<number> {
  const sessions = await sql`
    delete from visitor_session where token_hash in (
      select token_hash from visitor_session where expires_at < ${now} limit ${batchRows} for update skip locked
    )
  `.execute(transaction);
  const visitors = await sql`
    delete from visitor where id in (
      select id from visitor
      where not exists (select from visitor_session where visitor_id = visitor.id)
        and not exists (
          select from conversation
          where session_id = visitor.id and channel in ('widget', 'hosted')
        )
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Math.max(Number(sessions.numAffectedRows ?? 0n), Number(visitors.numAffectedRows ?? 0n));
}

const ACTION_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** Deletes bulk actions of the inbox that were started a day ago, with what they have changed. */
export async function purgeActions({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - ACTION_RETENTION_MS);
  const { numAffectedRows } = await sql`
    delete from conversation_action where id in (
      select id from conversation_action
      where created_at < ${before} and status not in ('waiting', 'running', 'undoing')
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

const UNSENT_FILE_RETENTION_MS = 24 * 60 * 60 * 1_000;

/** Deletes files that visitors and agents uploaded a day ago but did not send. */
export async function purgeUnsentFiles({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - UNSENT_FILE_RETENTION_MS);
  let maxRows = 0;
  for (const [table, sentIn] of [
    ['visitor_file', 'conversation_id'],
    ['agent_file', 'message_id'],
  ] as const) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)}
        where ${sql.ref(sentIn)} is null and created_at < ${before}
        limit ${batchRows}
        for update skip locked
      )
    `.execute(transaction);
    maxRows = Math.max(maxRows, Number(numAffectedRows));
  }
  return maxRows;
}

/**
 * Deletes expired rate-limit and idempotency rows. There are few enough rows to delete in one statement, so it
 * never asks for another batch.
 */
export async function purgeCounts({ transaction, now }: TaskContext): Promise<number> {
  const yesterday = new Date(now.getTime() - 24 * 3_600_000);
  await sql`delete from idempotent_request where created_at < ${yesterday}`.execute(transaction);
  const lastMonth = new Date(now.getTime() - 31 * 24 * 3_600_000);
  await sql`delete from key_day where day < ${lastMonth}::date`.execute(transaction);
  await sql`delete from token_bucket where updated_at < ${yesterday}`.execute(transaction);
  // Process heartbeats use the database's clock.
  await sql`delete from process where seen_at < now() - interval '1 minute'`.execute(transaction);
  await sql`delete from key_in_flight where process_id not in (select id from process)`.execute(transaction);
  return 0;
}

const previousSecretColumns = [
  {
    table: 'workspace',
    column: 'previous_identity_secret_encrypted',
    until: 'previous_identity_secret_until',
  },
  { table: 'workspace', column: 'previous_public_token', until: 'previous_public_token_until' },
  { table: 'channel', column: 'previous_public_token', until: 'previous_public_token_until' },
  { table: 'webhook', column: 'previous_secret_encrypted', until: 'previous_secret_until' },
  { table: 'http_skill', column: 'previous_secret_encrypted', until: 'previous_secret_until' },
  { table: 'api_key', column: 'previous_key_hash', until: 'previous_key_until' },
] as const;

/**
 * Clears the columns of rotated secrets whose grace period has ended. They are already rejected before that.
 */
export async function forgetPreviousSecrets({ transaction, now }: TaskContext): Promise<number> {
  let maxRows = 0;
  for (const { table, column, until } of previousSecretColumns) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = null, ${sql.ref(until)} = null
      where id in (select id from ${sql.table(table)} where ${sql.ref(until)} <= ${now} limit ${batchRows})
    `.execute(transaction);
    maxRows = Math.max(maxRows, Number(numAffectedRows));
  }
  return maxRows;
}
