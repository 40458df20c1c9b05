import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

/** Longer than any platform sends an event again. */
const forgetEventsKeptDays = 2;

/** Removes events of channels that were dealt with: until then their ids tell that they are old news. */
export async function purgeEvents({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - forgetEventsKeptDays * 24 * 3_600_000);
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

const forgetDeliveriesKeptDays = 7;

/** Removes deliveries to webhooks that arrived or were given up a week ago. */
export async function purgeDeliveries({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - forgetDeliveriesKeptDays * 24 * 3_600_000);
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

/** Longer than people come back to a thread of letters. */
const forgetMemoriesKeptDays = 400;

/** Removes what channels asked to remember and never told again. */
export async function purgeRememberedValues({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - forgetMemoriesKeptDays * 24 * 3_600_000);
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

/** Removes sessions that are over, and visitors of whom neither a session nor a conversation is left. */
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

const keptMs = 24 * 60 * 60 * 1_000;

/** Removes files that a visitor chose a day ago and did not send. */
export async function purgeUnsentFiles({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - keptMs);
  const { numAffectedRows } = await sql`
    delete from visitor_file where id in (
      select id from visitor_file
      where conversation_id is null and created_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}

/** Removes what no limit and no retry asks for any more. Rows are few enough to go at once: never another batch. */
export async function purgeCounts({ transaction, now }: TaskContext): Promise<number> {
  const yesterday = new Date(now.getTime() - 24 * 3_600_000);
  await sql`delete from idempotent_request where created_at < ${yesterday}`.execute(transaction);
  await sql`delete from token_bucket where updated_at < ${yesterday}`.execute(transaction);
  // Processes are seen by the database's clock.
  await sql`delete from process where seen_at < now() - interval '1 minute'`.execute(transaction);
  await sql`delete from key_in_flight where process_id not in (select id from process)`.execute(transaction);
  return 0;
}

const previous = [
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

/** Empties the columns of secrets whose grace period after a rotation has ended: they work no longer before that. */
export async function forgetPreviousSecrets({ transaction, now }: TaskContext): Promise<number> {
  let most = 0;
  for (const { table, column, until } of previous) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = null, ${sql.ref(until)} = null
      where id in (select id from ${sql.table(table)} where ${sql.ref(until)} <= ${now} limit ${batchRows})
    `.execute(transaction);
    most = Math.max(most, Number(numAffectedRows));
  }
  return most;
}
