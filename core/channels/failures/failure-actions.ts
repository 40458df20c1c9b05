import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { TaskContext } from '../../storage/maintenance-task.ts';
import type { FailureActionTable } from '../../storage/tables/channel-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { wakeLanes } from '../inbound/wake-lanes.ts';
import type { RetryableQueue } from '../queue-overview.ts';
import { type FailureFilter, failedRows, failureFilterSchema, matchFilter } from './failure-filter.ts';

export const failureActionKinds = ['retry', 'drop'] as const;
export const failureActionStates = ['running', 'finished', 'stopped'] as const;

/** A retry or removal of all failures that a person saw, with its progress. */
export interface FailureAction {
  readonly id: string;
  readonly kind: (typeof failureActionKinds)[number];
  readonly queue: RetryableQueue;
  readonly filter: FailureFilter;
  readonly state: (typeof failureActionStates)[number];
  /** Fixed when it was started: failures that came later are not touched. */
  readonly total: number;
  readonly done: number;
  readonly startedBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

interface NewFailureAction {
  readonly kind: FailureAction['kind'];
  readonly queue: RetryableQueue;
  readonly filter: FailureFilter;
  readonly startedBy: string;
}

const PREFIX = 'fail_';

/** Whether the id of a job's action is that of one of these. */
export const isFailureAction = (id: string) => id.startsWith(PREFIX);

/** Fixes which failures are meant, and handles them in the background. */
export async function startFailureAction(
  { database, clock, queue: jobs, log }: Stores,
  { kind, queue, filter, startedBy }: NewFailureAction,
): Promise<FailureAction> {
  const { table } = failedRows[queue];
  const { rows } = await sql<{ total: number; last: string }>`
    select count(*)::int as total, coalesce(max(number), 0)::text as last
    from ${sql.table(table)} where ${meant(kind, queue, filter)}`.execute(database);
  const { total = 0, last = '0' } = rows[0] ?? {};
  const now = clock.now();
  const row = await database
    .insertInto('failure_action')
    .values({
      ...{ id: newId('fail'), kind, queue, total, started_by: startedBy, created_at: now },
      filter: JSON.stringify(filter),
      last_number: last,
      ...(total === 0 && { state: 'finished', finished_at: now }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  log.info({ action: row.id, kind, queue, filter, total, by: startedBy }, 'failure action started');
  if (total > 0) await jobs.add('bulk', `${row.id}-do`, { actionId: row.id });
  return actionFromRow(row);
}

/** A retry leaves out what a platform refused for good. */
function meant(kind: string, queue: RetryableQueue, filter: FailureFilter) {
  const { isRetriable } = failedRows[queue];
  return kind === 'retry'
    ? sql`${matchFilter(queue, filter)} and ${isRetriable}`
    : matchFilter(queue, filter);
}

const BATCH_SIZE = 200;

/** Handles the next batch of an action. Returns whether more are left. */
export async function runFailureBatch(
  { database, clock, queue: jobs, log }: Stores,
  id: string,
): Promise<boolean> {
  const now = clock.now();
  const state = await database.transaction().execute((transaction) => handleBatch(transaction, id, now));
  if (state === null) return false;
  if (state.kind === 'retry') {
    await wakeLanes(database, jobs, { now, round: `${id}-${state.position}` }).catch((err: unknown) => {
      log.warn({ err }, 'waking workers failed');
    });
  }
  return state.isRunning;
}

async function handleBatch(transaction: Transaction<Tables>, id: string, now: Date) {
  const row = await transaction
    .selectFrom('failure_action')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { kind, queue, filter } = actionFromRow(row);
  const { table } = failedRows[queue];
  const { rows } = await sql<{ number: string }>`
    select number::text from ${sql.table(table)}
    where ${meant(kind, queue, filter)} and number > ${row.position}::bigint and number <= ${row.last_number}::bigint
    order by ${sql.ref(`${table}.number`)} limit ${BATCH_SIZE} for update
  `.execute(transaction);
  const numbers = rows.map(({ number }) => number);
  if (numbers.length > 0) await changes[queue][kind](transaction, numbers, now);
  const isRunning = numbers.length === BATCH_SIZE;
  const position = numbers.at(-1) ?? row.position;
  await transaction
    .updateTable('failure_action')
    .set({
      position,
      done: row.done + numbers.length,
      ...(!isRunning && { state: 'finished', finished_at: now }),
    })
    .where('id', '=', id)
    .execute();
  return { kind, position, isRunning };
}

type Change = (transaction: Transaction<Tables>, numbers: readonly string[], now: Date) => Promise<unknown>;

/** A retry backdates what it requeues by a minute, so that the sweep's grace period does not delay it. */
const changes: Readonly<Record<RetryableQueue, Record<FailureAction['kind'], Change>>> = {
  answer: {
    retry: (transaction, numbers) =>
      sql`update inbound_event set failure = null, attempts = 0, settled_at = clock_timestamp() - interval '1 minute'
          where number = any(${[...numbers]}::bigint[])`.execute(transaction),
    drop: (transaction, numbers, now) =>
      sql`update inbound_event set handled_at = ${now}
          where number = any(${[...numbers]}::bigint[])`.execute(transaction),
  },
  deliver: {
    retry: (transaction, numbers, now) =>
      sql`update outbound_part set status = 'waiting', attempts = 0,
            next_attempt_at = ${now}::timestamptz - interval '1 minute'
          where number = any(${[...numbers]}::bigint[])`.execute(transaction),
    drop: (transaction, numbers) =>
      sql`update outbound_part set status = 'withheld'
          where number = any(${[...numbers]}::bigint[])`.execute(transaction),
  },
};

const MAX_SHOWN = 20;

/** Returns the latest actions, the newest first. */
export async function listFailureActions(database: Kysely<Tables>): Promise<readonly FailureAction[]> {
  const rows = await database
    .selectFrom('failure_action')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN)
    .execute();
  return rows.map(actionFromRow);
}

/** Stops an action after its current batch. Throws `action_not_found`. */
export async function stopFailureAction(
  { database, clock }: Pick<Stores, 'database' | 'clock'>,
  id: string,
): Promise<FailureAction> {
  await database
    .updateTable('failure_action')
    .set({ state: 'stopped', finished_at: clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
  const row = await database.selectFrom('failure_action').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('action_not_found');
  return actionFromRow(row);
}

/** Queues actions again whose job was lost. */
export async function requeueFailureActions(
  { database, queue }: Pick<Stores, 'database' | 'queue'>,
  before: Date,
): Promise<void> {
  const rows = await database
    .selectFrom('failure_action')
    .select('id')
    .where('state', '=', 'running')
    .where('created_at', '<', before)
    .execute();
  for (const { id } of rows) await queue.add('bulk', `${id}-again`, { actionId: id });
}

const RETENTION_MS = 90 * 24 * 3_600_000;

/** Deletes actions that were started three months ago. */
export async function purgeFailureActions({ transaction, now }: TaskContext): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('failure_action')
    .where('created_at', '<', new Date(now.getTime() - RETENTION_MS))
    .where('state', '<>', 'running')
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const storedSchema = z.object({
  kind: z.enum(failureActionKinds),
  queue: z.enum(['answer', 'deliver']),
  state: z.enum(failureActionStates),
  filter: failureFilterSchema,
});

function actionFromRow(row: Selectable<FailureActionTable>): FailureAction {
  return {
    id: row.id,
    ...storedSchema.parse(row),
    total: row.total,
    done: row.done,
    startedBy: row.started_by,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}
