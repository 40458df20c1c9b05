import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import { writeAuditEntries } from '../audit-log.ts';
import { writeNote } from '../notes.ts';
import { type ConversationChange, planChange } from '../plan-change.ts';
import { type ConversationView, loadConversationView } from './conversation-record.ts';
import { findConversation, type InboxUser } from './find-conversation.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: ScheduleDeliveries;
}

interface ChangeRequest {
  readonly user: InboxUser;
  readonly id: string;
  readonly change: ConversationChange;
}

/** Throws `conversation_not_found` and `invalid_snooze_until`, and has changed nothing then. */
export function changeConversation(
  stores: Stores,
  { user, id, change }: ChangeRequest,
): Promise<ConversationView> {
  return eventTransaction(stores, async (transaction) => {
    const { row, policy } = await findConversation(transaction, { user, id, lock: true });
    const now = stores.clock.now();
    const lastVisitorMessageAt = (await findLastVisitorMessage(transaction, id)) ?? now;
    const { columns, changes } = planChange(row, change, { now, lastVisitorMessageAt });
    const changed = { id, workspaceId: row.workspace_id, actor: user.name, at: now };
    if (changes.length > 0) {
      await transaction.updateTable('conversation').set(columns).where('id', '=', id).execute();
    }
    await writeAuditEntries(transaction, changed, changes);
    for (const note of change.notes ?? []) await writeNote(transaction, changed, note);
    return loadConversationView(transaction, { ...row, ...columns }, { policy, now });
  });
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
