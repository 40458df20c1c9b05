import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** The webhook that a delivery is for; null where there is nothing to deliver any more. */
export async function receiverOf(database: Kysely<Tables>, deliveryId: string): Promise<string | null> {
  const row = await database
    .selectFrom('webhook_delivery')
    .select('webhook_id')
    .where('id', '=', deliveryId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return row?.webhook_id ?? null;
}
