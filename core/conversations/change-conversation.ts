import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from '../webhooks/delivery-waker.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import type { ConversationChange } from './change-request.ts';
import { type ConversationView, conversationView } from './conversation-view.ts';
import { findConversation } from './find-conversation.ts';
import type { InboxUser } from './inbox-user.ts';
import { planChange } from './plan-change.ts';
import { writeAudit } from './write-audit.ts';
import { writeNote } from './write-note.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: WakeDeliveries;
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
  return tellingTransaction(stores, async (transaction) => {
    const { row, policy } = await findConversation(transaction, { user, id, lock: true });
    const now = stores.clock.now();
    const lastVisitorMessageAt = (await lastVisitorMessage(transaction, id)) ?? now;
    const { columns, changes } = planChange(row, change, { now, lastVisitorMessageAt });
    const changed = { id, workspaceId: row.workspace_id, actor: user.name, at: now };
    if (changes.length > 0) {
      await transaction.updateTable('conversation').set(columns).where('id', '=', id).execute();
    }
    await writeAudit(transaction, changed, changes);
    for (const note of change.notes ?? []) await writeNote(transaction, changed, note);
    return conversationView(transaction, { ...row, ...columns }, { policy, now });
  });
}

async function lastVisitorMessage(transaction: Transaction<Tables>, id: string): Promise<Date | undefined> {
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
