import type { Selectable, Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Actor } from '../contract/actor.ts';
import type { ConversationStatus } from '../contract/conversation-values.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Columns, type ConversationChange, planChange } from './plan-change.ts';

interface RowChange {
  readonly change: ConversationChange;
  /** The actor for the audit log. With the id of a person, the change is also one of theirs. */
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Changes a conversation whose row is locked, and writes the audit entries. Returns the columns that it wrote and the
 * entries. Throws `invalid_snooze_until`; then nothing is changed.
 */
export async function changeRow(
  transaction: Transaction<Tables>,
  row: Selectable<Tables['conversation']>,
  { change, actor, now }: RowChange,
): Promise<ReturnType<typeof planChange>> {
  const { id, workspace_id: workspaceId } = row;
  const lastVisitorMessageAt = (await findLastVisitorMessage(transaction, id)) ?? now;
  const plan = planChange(row, change, { now, lastVisitorMessageAt, personId: actor.id });
  await storePlan(transaction, { id, workspaceId, actor, at: now }, plan);
  return plan;
}

interface ChangedRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly at: Date;
}

async function storePlan(
  transaction: Transaction<Tables>,
  target: ChangedRow,
  { columns, changes }: ReturnType<typeof planChange>,
): Promise<void> {
  if (changes.length === 0) return;
  await writeColumns(transaction, target, columns);
  await writeAuditEntries(transaction, target, changes);
}

interface StatusChange {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: ConversationStatus;
  readonly actor: Actor;
  readonly now: Date;
}

/** Applies a status that a platform's own inbox reports. */
export async function changeStatus(
  transaction: Transaction<Tables>,
  { id, workspaceId, status, actor, now }: StatusChange,
): Promise<void> {
  const row = await transaction
    .selectFrom('conversation')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const plan = planChange(row, { status }, { now, lastVisitorMessageAt: row.last_message_at });
  await storePlan(transaction, { id, workspaceId, actor, at: now }, plan);
}

async function findLastVisitorMessage(
  transaction: Transaction<Tables>,
  id: string,
): Promise<Date | undefined> {
  const row = await transaction
    .selectFrom('message')
    .select('created_at')
    .where('conversation_id', '=', id)
    .where('role', '=', 'user')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** Writes columns of a locked conversation, such as those that it had before a change. The caller writes the audit entries. */
export async function writeColumns(
  transaction: Transaction<Tables>,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  columns: WrittenColumns,
): Promise<void> {
  await transaction
    .updateTable('conversation')
    .set(toStoredColumns(columns))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

type WrittenColumns = { readonly [Column in keyof Columns]?: Columns[Column] | undefined };

/** Returns columns as the database takes them: metadata as JSON text. */
export function toStoredColumns({ metadata, ...columns }: WrittenColumns) {
  if (metadata === undefined) return columns;
  return { ...columns, metadata: metadata === null ? null : JSON.stringify(metadata) };
}
