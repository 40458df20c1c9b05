import type { Selectable, Transaction } from 'kysely';
import type { Customer } from '../contract/conversation-values.ts';
import { moveConversations } from '../conversations/visitor-conversations.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { VisitorTable } from '../storage/tables/visitor-tables.ts';
import type { VerifiedVisitor } from '../workspaces/identity.ts';

/** A visitor of a widget or a hosted page. */
export interface Visitor {
  /** Also the session id of the visitor's conversations. */
  readonly id: string;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly readAt: Date;
  /** The visitor's profile, as far as known. */
  readonly customer: Customer;
  /** Null if the visitor's identity was not verified. */
  readonly verified: VerifiedVisitor | null;
}

export function visitorFromRow(row: Selectable<VisitorTable>): Visitor {
  const customer = {
    name: row.name,
    email: row.email,
    emailVerified: row.email !== null && row.email_verified,
    phone: null,
  };
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channelId: row.channel_id,
    readAt: row.read_at,
    customer,
    verified: row.user_id === null ? null : { userId: row.user_id, audience: row.audience, customer },
  };
}

/**
 * Moves the conversations and files of an anonymous visitor to the visitor they were identified as, and deletes the
 * former.
 */
export async function mergeVisitors(
  transaction: Transaction<Tables>,
  from: Visitor,
  to: Visitor,
): Promise<void> {
  const { id, customer, verified } = to;
  await moveConversations(transaction, from, { id, userId: verified?.userId ?? null, customer });
  await transaction
    .updateTable('visitor_file')
    .set({ visitor_id: to.id })
    .where('workspace_id', '=', from.workspaceId)
    .where('visitor_id', '=', from.id)
    .execute();
  await transaction
    .deleteFrom('visitor')
    .where('workspace_id', '=', from.workspaceId)
    .where('id', '=', from.id)
    .execute();
}
