import { sql, type Transaction } from 'kysely';
import { visitorChannels } from '../contract/conversation-values.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** For `channel in …`. Literals: with parameters, PostgreSQL would not use the partial index of these conversations. */
export const visitorChannelList = sql`(${sql.join(visitorChannels.map((channel) => sql.lit(channel)))})`;

interface IdentifiedVisitor {
  readonly id: string;
  /** The integrator's id. Null for an anonymous visitor. */
  readonly userId: string | null;
  readonly customer: {
    readonly email: string | null;
    readonly emailVerified: boolean;
    readonly name: string | null;
  };
}

/** Moves the conversations of a visitor to the visitor that they were identified as. */
export async function moveConversations(
  transaction: Transaction<Tables>,
  from: { readonly workspaceId: string; readonly id: string },
  { id, userId, customer }: IdentifiedVisitor,
): Promise<void> {
  await transaction
    .updateTable('conversation')
    .set({
      session_id: id,
      customer_user_id: userId,
      ...(customer.email !== null && {
        customer_email: customer.email,
        customer_email_verified: customer.emailVerified,
      }),
      ...(customer.name !== null && { customer_name: customer.name }),
    })
    .where('workspace_id', '=', from.workspaceId)
    .where('session_id', '=', from.id)
    .where('channel', 'in', visitorChannels)
    .execute();
}

interface StatedContact {
  readonly email: string;
  /** Null keeps a name that is known. */
  readonly name: string | null;
}

/** Stores the contact that a visitor stated, where no verified one is known. */
export async function storeStatedContact(
  transaction: Transaction<Tables>,
  visitor: { readonly workspaceId: string; readonly id: string },
  { email, name }: StatedContact,
): Promise<void> {
  await transaction
    .updateTable('conversation')
    .set({
      customer_email: email,
      customer_email_verified: false,
      ...(name !== null && { customer_name: name }),
    })
    .where('workspace_id', '=', visitor.workspaceId)
    .where('session_id', '=', visitor.id)
    .where('customer_email_verified', '=', false)
    .where('channel', 'in', visitorChannels)
    .execute();
}
