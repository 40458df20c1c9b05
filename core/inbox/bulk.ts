import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { conversationStatuses, priorities } from '../contract/conversation-values.ts';
import type { ConversationFilters, ListReader } from '../conversations/list/filters.ts';
import { selectMatching } from '../conversations/list/list-conversations.ts';
import type { JobQueue } from '../queue/queue.ts';
import { batchRows, type TaskContext } from '../storage/maintenance-task.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type InboxActor, requireAssignable } from './desk.ts';

/** A change of many conversations. Absent fields stay unchanged. */
export const bulkChangeSchema = z.object({
  status: z.enum(conversationStatuses).optional(),
  snooze_until: z.iso.datetime({ offset: true }).optional(),
  assignee_id: z.string().max(100).nullable().optional(),
  priority: z.enum(priorities).optional(),
  add_tags: z.array(z.string().trim().min(1).max(64)).max(50).optional(),
  remove_tags: z.array(z.string().trim().min(1).max(64)).max(50).optional(),
  delete: z.literal(true).optional().meta({
    description:
      'Deletes the conversations with their messages. Starts after ten seconds, until which it can be undone.',
  }),
});

export type BulkChange = z.output<typeof bulkChangeSchema>;

export const bulkStatuses = ['waiting', 'running', 'aborted', 'done', 'undoing', 'undone'] as const;

const statusSchema = z.enum(bulkStatuses);

/** A bulk action and its progress. */
export interface BulkAction {
  readonly id: string;
  readonly change: BulkChange;
  readonly status: z.output<typeof statusSchema>;
  readonly actor: string;
  /** The number of conversations, fixed when the action was started. */
  readonly total: number;
  readonly done: number;
  readonly changed: number;
  readonly undone: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Until then it can be undone. Null: it no longer can, or is not finished and can. */
  readonly undoUntil: Date | null;
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, 'add'>;
}

export const undoMs = 10_000;
/** An undo that was requested in time may arrive late. */
const undoGraceMs = 5_000;

interface NewAction {
  readonly reader: ListReader;
  readonly change: BulkChange;
  readonly range: { readonly ids: readonly string[] } | { readonly filters: ConversationFilters };
}

/**
 * Fixes which conversations are changed, and changes them in the background. Throws `invalid_assignee_id`, and
 * `missing_field` if nothing is to be changed.
 */
export async function startAction(
  { database, clock, queue }: Stores,
  actor: InboxActor,
  { reader, change, range }: NewAction,
): Promise<BulkAction> {
  requireChange(change, clock.now());
  await requireAssignable(database, actor, change.assignee_id);
  const now = clock.now();
  const id = newId('act');
  const delayMs = change.delete === true ? undoMs : 0;
  const row = await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('conversation_action')
      .values({
        id,
        workspace_id: actor.workspaceId,
        person_id: actor.personId,
        actor: actor.name,
        change: JSON.stringify(change),
        status: 'waiting',
        total: 0,
        created_at: now,
        starts_at: new Date(now.getTime() + delayMs),
      })
      .execute();
    const { numAffectedRows } = await sql`
      insert into conversation_action_item (action_id, number, conversation_id)
      select ${id}, row_number() over (order by last_message_at desc, id desc), id
      from ${selectMatching(reader, range)}
    `.execute(transaction);
    return transaction
      .updateTable('conversation_action')
      .set({ total: Number(numAffectedRows ?? 0n) })
      .where('id', '=', id)
      .where('workspace_id', '=', actor.workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  await queue.add('bulk', `${id}-do`, { actionId: id }, { delayMs });
  return actionFromRow(row);
}

function requireChange({ status, snooze_until, ...change }: BulkChange, now: Date): void {
  const values = Object.values({ status, ...change });
  if (values.every((value) => value === undefined)) {
    throw new AppError('missing_field', { detail: 'change names nothing to change.' });
  }
  if (status === 'snoozed' && snooze_until === undefined) {
    throw new AppError('missing_field', { detail: 'snooze_until is required if status is snoozed.' });
  }
  if (snooze_until !== undefined && (status !== 'snoozed' || new Date(snooze_until) <= now)) {
    throw new AppError('invalid_snooze_until');
  }
}

interface ActionKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** Throws `action_not_found`. */
export async function findAction(
  database: Kysely<Tables>,
  { workspaceId, id }: ActionKey,
): Promise<BulkAction> {
  const row = await database
    .selectFrom('conversation_action')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('action_not_found');
  return actionFromRow(row);
}

/** Stops an action after its current batch and keeps the changes made so far. Throws `action_not_found`. */
export function abortAction(
  { database, clock }: Pick<Stores, 'database' | 'clock'>,
  key: ActionKey,
): Promise<BulkAction> {
  return changeAction(database, key, (row) =>
    row.status === 'waiting' || row.status === 'running'
      ? { status: 'aborted', finished_at: clock.now() }
      : null,
  );
}

/**
 * Undoes an action for conversations that nobody has changed since. Throws `action_not_found` and
 * `action_not_undoable`.
 */
export async function undoAction(stores: Stores, key: ActionKey): Promise<BulkAction> {
  const now = stores.clock.now();
  const action = await changeAction(stores.database, key, (row) => {
    if (row.status === 'undoing' || row.status === 'undone') return null;
    const { change, finishedAt } = actionFromRow(row);
    const isOver = finishedAt !== null && now.getTime() > finishedAt.getTime() + undoMs + undoGraceMs;
    if (isOver || (change.delete === true && row.done > 0)) throw new AppError('action_not_undoable');
    return row.done === 0 ? { status: 'undone', finished_at: now } : { status: 'undoing', finished_at: null };
  });
  if (action.status === 'undoing') await stores.queue.add('bulk', `${key.id}-undo`, { actionId: key.id });
  return action;
}

type ActionRow = Selectable<Tables['conversation_action']>;

function changeAction(
  database: Kysely<Tables>,
  { workspaceId, id }: ActionKey,
  plan: (
    row: ActionRow,
  ) => { readonly status: BulkAction['status']; readonly finished_at: Date | null } | null,
): Promise<BulkAction> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('conversation_action')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('action_not_found');
    const set = plan(row);
    if (set === null) return actionFromRow(row);
    await transaction.updateTable('conversation_action').set(set).where('id', '=', id).execute();
    return actionFromRow({ ...row, ...set });
  });
}

function actionFromRow(row: ActionRow): BulkAction {
  const change = bulkChangeSchema.parse(row.change);
  const canUndo =
    row.finished_at !== null && change.delete !== true && ['done', 'aborted'].includes(row.status);
  return {
    id: row.id,
    change,
    status: statusSchema.parse(row.status),
    actor: row.actor,
    total: row.total,
    done: row.done,
    changed: row.changed,
    undone: row.undone,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    undoUntil:
      row.status === 'waiting' && change.delete === true
        ? row.starts_at
        : canUndo && row.finished_at !== null
          ? new Date(row.finished_at.getTime() + undoMs)
          : null,
  };
}

/** Returns the actions that no process runs, because a job was lost. */
export async function findUnfinishedActions(
  database: Kysely<Tables>,
  before: Date,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('conversation_action')
    .select('id')
    .where('status', 'in', ['waiting', 'running', 'undoing'])
    .where('starts_at', '<', before)
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
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
