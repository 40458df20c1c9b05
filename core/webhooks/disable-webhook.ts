import { sql, type Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';

interface Addressed {
  readonly workspaceId: string;
  readonly id: string;
}

/** Stops a webhook and gives up what was still to be sent; false when it was disabled already. */
export async function disableWebhook(
  transaction: Transaction<Tables>,
  { workspaceId, id }: Addressed,
  { reason, at }: { readonly reason: string; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook')
    .set({ disabled_at: at, disabled_reason: reason })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await transaction
    .updateTable('webhook_delivery')
    .set({
      status: 'failed',
      next_attempt_at: null,
      last_error: sql<string>`coalesce(last_error, 'The webhook was disabled.')`,
    })
    .where('webhook_id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'pending')
    .execute();
  return true;
}
