import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { type AuditChange, writeAuditEntries } from '../conversations/audit-log.ts';
import { conversationStatuses, priorities } from '../conversations/conversation-values.ts';
import type { ConversationChange } from '../conversations/plan-change.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { applyChange, type ChangedColumns, type InboxActor, requireAssignable } from './desk.ts';
import type { InboxFilters, InboxReader } from './filters.ts';
import { selectMatching } from './list.ts';

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

/** A bulk action and how far it is. */
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
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

export const undoMs = 10_000;
/** An undo that was pressed in time may arrive late. */
const undoGraceMs = 5_000;

interface NewAction {
  readonly reader: InboxReader;
  readonly change: BulkChange;
  readonly range: { readonly ids: readonly string[] } | { readonly filters: InboxFilters };
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

/** Stops an action after its current batch; what it has changed stays. Throws `action_not_found`. */
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

/** Takes an action back where nobody has changed anything since. Throws `action_not_found` and `action_not_undoable`. */
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

/** Small, so that nobody waits long for a locked conversation. */
const batchRows = 50;

/** Handles the next conversations of an action in one transaction. Returns true if there are more. */
export function runActionBatch(
  { database, clock, scheduleDeliveries }: Omit<Stores, 'queue'>,
  id: string,
): Promise<boolean> {
  const stores = scheduleDeliveries === undefined ? { database } : { database, scheduleDeliveries };
  return eventTransaction(stores, async (transaction) => {
    const row = await transaction
      .selectFrom('conversation_action')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    const now = clock.now();
    if (row === undefined) return false;
    if (row.status === 'undoing') return undoBatch(transaction, row, now);
    const isDue = (row.status === 'waiting' || row.status === 'running') && row.starts_at <= now;
    return isDue && doBatch(transaction, row, now);
  });
}

async function doBatch(transaction: Transaction<Tables>, row: ActionRow, now: Date): Promise<boolean> {
  const change = bulkChangeSchema.parse(row.change);
  const actor = { workspaceId: row.workspace_id, name: row.actor };
  const items = await transaction
    .selectFrom('conversation_action_item')
    .selectAll()
    .where('action_id', '=', row.id)
    .where('number', '>', row.done)
    .orderBy('number')
    .limit(batchRows)
    .execute();
  let changed = 0;
  for (const { number, conversation_id: conversationId } of items) {
    if (change.delete === true) {
      changed += await deleteOne(transaction, { actor, id: conversationId, now });
      continue;
    }
    const columns = await applyChange(transaction, {
      ...{ actor, id: conversationId, now },
      change: (tags) => toChange(change, tags),
    });
    if (columns === null || Object.keys(columns.after).length === 0) continue;
    changed += 1;
    await transaction
      .updateTable('conversation_action_item')
      .set({ before: JSON.stringify(columns.before), after: JSON.stringify(columns.after) })
      .where('action_id', '=', row.id)
      .where('number', '=', number)
      .execute();
  }
  const done = row.done + items.length;
  const isDone = done >= row.total;
  await transaction
    .updateTable('conversation_action')
    .set({
      ...{ done, changed: row.changed + changed },
      ...(isDone ? { status: 'done', finished_at: now } : { status: 'running' }),
    })
    .where('id', '=', row.id)
    .execute();
  return !isDone;
}

function toChange(change: BulkChange, tags: readonly string[]): ConversationChange {
  const { add_tags: added = [], remove_tags: removed = [] } = change;
  const nextTags = [...new Set([...tags.filter((tag) => !removed.includes(tag)), ...added])];
  return {
    status: change.status,
    snoozeUntil: change.snooze_until === undefined ? undefined : new Date(change.snooze_until),
    assigneeId: change.assignee_id,
    priority: change.priority,
    tags: added.length + removed.length === 0 ? undefined : nextTags.slice(0, 50),
  };
}

interface OneConversation {
  readonly actor: Pick<InboxActor, 'workspaceId' | 'name'>;
  readonly id: string;
  readonly now: Date;
}

async function deleteOne(
  transaction: Transaction<Tables>,
  { actor: { workspaceId, name }, id, now }: OneConversation,
): Promise<number> {
  const row = await transaction
    .deleteFrom('conversation')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['status', 'message_count'])
    .executeTakeFirst();
  if (row === undefined) return 0;
  const target = { id, workspaceId, actor: name, at: now };
  await writeAuditEntries(transaction, target, [{ action: 'deleted', details: { ...row } }]);
  return 1;
}

/** Undoes the latest items first. */
async function undoBatch(transaction: Transaction<Tables>, row: ActionRow, now: Date): Promise<boolean> {
  const first = row.done - row.undone;
  const items = await transaction
    .selectFrom('conversation_action_item')
    .selectAll()
    .where('action_id', '=', row.id)
    .where('number', '<=', first)
    .orderBy('number', 'desc')
    .limit(batchRows)
    .execute();
  const actor = { workspaceId: row.workspace_id, name: row.actor };
  for (const item of items) {
    const columns = columnsSchema.safeParse(item).data;
    if (columns !== undefined) await restore(transaction, { actor, id: item.conversation_id, now }, columns);
  }
  const undone = row.undone + items.length;
  const isDone = undone >= row.done;
  await transaction
    .updateTable('conversation_action')
    .set({ undone, ...(isDone && { status: 'undone', finished_at: now }) })
    .where('id', '=', row.id)
    .execute();
  return !isDone;
}

const time = z.coerce.date().nullable();
const storedColumns = z
  .object({
    status: z.enum(conversationStatuses),
    priority: z.enum(priorities),
    tags: z.array(z.string()),
    assignee_id: z.string().nullable(),
    assigned_at: time,
    snooze_until: time,
    resolved_at: time,
    memory_from: z.int(),
    handover_since: time,
    unanswered_since: time,
  })
  .partial();
const columnsSchema = z.object({ before: storedColumns, after: storedColumns });

const auditActions = {
  status: 'status_changed',
  priority: 'priority_changed',
  tags: 'tags_changed',
  assignee_id: 'assignee_changed',
  snooze_until: 'snooze_changed',
} as const;

/** Writes the former values, unless one of the changed values was changed again since. */
async function restore(
  transaction: Transaction<Tables>,
  { actor: { workspaceId, name }, id, now }: OneConversation,
  { before, after }: z.output<typeof columnsSchema>,
): Promise<void> {
  const row = await transaction
    .selectFrom('conversation')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return;
  const current: ChangedColumns['before'] = { ...row };
  const isSame = Object.entries(after).every(
    ([column, value]) => JSON.stringify(current[column]) === JSON.stringify(value),
  );
  if (!isSame) return;
  await transaction
    .updateTable('conversation')
    .set(before)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  const former: ChangedColumns['before'] = { ...before };
  const changes = Object.entries(auditActions).flatMap(([column, action]): AuditChange[] =>
    column in before && (column !== 'snooze_until' || !('status' in before))
      ? [{ action, details: { from: current[column] ?? null, to: former[column] ?? null, undo: true } }]
      : [],
  );
  await writeAuditEntries(transaction, { id, workspaceId, actor: name, at: now }, changes);
}

/** Returns the actions that no process works on, for which a job was lost. */
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
