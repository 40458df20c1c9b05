import type { Transaction } from 'kysely';
import { newId } from '../ids.ts';
import type { Tables } from '../storage/tables.ts';
import type { Customer } from './turn.ts';

export interface NewConversation {
  readonly workspaceId: string;
  readonly channel: string;
  readonly sessionId: string;
  readonly customer: Customer | null;
  readonly now: Date;
}

/** One in which nothing is said yet: for what is not answered. Returns its id. */
export async function beginConversation(
  transaction: Transaction<Tables>,
  { workspaceId, channel, sessionId, customer, now }: NewConversation,
): Promise<string> {
  const id = newId('conv');
  await transaction
    .insertInto('conversation')
    .values({
      id,
      workspace_id: workspaceId,
      channel,
      session_id: sessionId,
      started_at: now,
      last_message_at: now,
      resolved_at: null,
      customer_email: customer?.email ?? null,
      customer_email_verified: customer?.emailVerified ?? false,
      customer_name: customer?.name ?? null,
      customer_phone: customer?.phone ?? null,
      customer_user_id: null,
      snooze_until: null,
      unanswered_since: null,
      handover_since: null,
      sla_told: null,
      awaited: null,
      summary: null,
    })
    .execute();
  return id;
}
