import type { Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { Visitor } from './visitor.ts';

/** Gives what an unknown visitor said to the one that he turned out to be. */
export async function joinVisitor(
  transaction: Transaction<Tables>,
  from: Visitor,
  to: Visitor,
): Promise<void> {
  await transaction
    .updateTable('conversation')
    .set({
      session_id: to.id,
      customer_user_id: to.verified?.userId ?? null,
      ...(to.customer.email !== null && {
        customer_email: to.customer.email,
        customer_email_verified: to.customer.emailVerified,
      }),
      ...(to.customer.name !== null && { customer_name: to.customer.name }),
    })
    .where('workspace_id', '=', from.workspaceId)
    .where('session_id', '=', from.id)
    .where('channel', 'in', ['widget', 'hosted'])
    .execute();
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
