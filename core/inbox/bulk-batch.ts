import type { Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { type AuditChange, writeAuditEntries } from '../audit/audit-log.ts';
import type { OpenAccount } from '../channels/accounts/channel-account.ts';
import {
  askForRating,
  type RatingQuestion,
  ratingDelayMs,
  withdrawRatingQuestion,
} from '../channels/ratings.ts';
import { conversationStatuses, priorities } from '../contract/conversation-values.ts';
import { writeColumns } from '../conversations/change-row.ts';
import { toActor } from '../conversations/inbox/find-conversation.ts';
import type { ConversationChange } from '../conversations/plan-change.ts';
import { deleteConversation } from '../conversations/purge-conversations.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction } from '../webhooks/event-transaction.ts';
import { type BulkChange, bulkChangeSchema } from './bulk.ts';
import {
  applyChange,
  type ChangedColumns,
  type ChangeStores,
  findAccounts,
  type InboxActor,
  wakeForQuestion,
} from './desk.ts';

type ActionRow = Selectable<Tables['conversation_action']>;

/** Small, so that nobody waits long for a locked conversation. */
const batchRows = 50;

interface Batch {
  readonly accounts: ReadonlyMap<string, OpenAccount>;
  readonly now: Date;
  /** Receives the questions for a rating that are queued. */
  readonly questions: RatingQuestion[];
}

/**
 * Handles the next conversations of an action in one transaction, and asks for a rating of those that it resolves. Returns
 * true if there are more.
 */
export async function runActionBatch(stores: ChangeStores, id: string): Promise<boolean> {
  const { clock } = stores;
  const prepared = await prepareBatch(stores, id);
  const questions: RatingQuestion[] = [];
  const isUnfinished = await eventTransaction(stores, async (transaction) => {
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
    // Another worker has handled the batch meanwhile.
    if (isDue && row.done !== prepared.done) return true;
    return isDue && doBatch(transaction, row, { accounts: prepared.accounts, now, questions });
  });
  for (const question of questions) wakeForQuestion(stores, question);
  return isUnfinished;
}

/** Opens the accounts of the next batch before its transaction, which must not wait for another connection. */
async function prepareBatch(
  stores: ChangeStores,
  id: string,
): Promise<Pick<Batch, 'accounts'> & { readonly done: number }> {
  const row = await stores.database
    .selectFrom('conversation_action')
    .select(['workspace_id', 'change', 'done'])
    .where('id', '=', id)
    .executeTakeFirst();
  const resolves = row !== undefined && bulkChangeSchema.parse(row.change).status === 'resolved';
  if (!resolves) return { accounts: new Map(), done: row?.done ?? 0 };
  const items = await stores.database
    .selectFrom('conversation_action_item')
    .select('conversation_id')
    .where('action_id', '=', id)
    .where('number', '>', row.done)
    .orderBy('number')
    .limit(batchRows)
    .execute();
  const ids = items.map(({ conversation_id }) => conversation_id);
  return { accounts: await findAccounts(stores, row.workspace_id, ids), done: row.done };
}

async function doBatch(
  transaction: Transaction<Tables>,
  row: ActionRow,
  { accounts, now, questions }: Batch,
): Promise<boolean> {
  const change = bulkChangeSchema.parse(row.change);
  const actor = { workspaceId: row.workspace_id, name: row.actor, personId: row.person_id };
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
    if (columns.after.status === 'resolved') {
      const question = await askForRating(transaction, {
        ...{ workspaceId: row.workspace_id, conversationId, personId: row.person_id, now, accounts },
        delayMs: ratingDelayMs,
      });
      if (question !== null) questions.push(question);
    }
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
  readonly actor: Pick<InboxActor, 'workspaceId' | 'name' | 'personId'>;
  readonly id: string;
  readonly now: Date;
}

async function deleteOne(
  transaction: Transaction<Tables>,
  { actor, id, now }: OneConversation,
): Promise<number> {
  const { workspaceId } = actor;
  const wasThere = await deleteConversation(transaction, { workspaceId, id, actor: toActor(actor), at: now });
  return wasThere ? 1 : 0;
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
  const actor = { workspaceId: row.workspace_id, name: row.actor, personId: row.person_id };
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
    assigned_by: z.string().nullable(),
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
  { actor, id, now }: OneConversation,
  { before, after }: z.output<typeof columnsSchema>,
): Promise<void> {
  const { workspaceId } = actor;
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
  await writeColumns(transaction, { workspaceId, id }, before);
  if (row.status === 'resolved' && before.status !== undefined)
    await withdrawRatingQuestion(transaction, { workspaceId, conversationId: id });
  const former: ChangedColumns['before'] = { ...before };
  const changes = Object.entries(auditActions).flatMap(([column, action]): AuditChange[] =>
    column in before && (column !== 'snooze_until' || !('status' in before))
      ? [{ action, details: { from: current[column] ?? null, to: former[column] ?? null, undo: true } }]
      : [],
  );
  await writeAuditEntries(transaction, { id, workspaceId, actor: toActor(actor), at: now }, changes);
}
