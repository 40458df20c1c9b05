import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

const keptDays = 7;

/** Removes deliveries to webhooks that arrived or were given up a week ago. */
export async function forgetDeliveries({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery
      where status <> 'pending' and queued_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
