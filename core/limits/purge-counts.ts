import { sql } from 'kysely';
import type { TaskContext } from '../storage/maintenance-task.ts';

/**
 * Deletes expired rate-limit and idempotency rows. There are few enough rows to delete in one statement, so it never asks
 * for another batch.
 */
export async function purgeCounts({ transaction, now }: TaskContext): Promise<number> {
  const yesterday = new Date(now.getTime() - 24 * 3_600_000);
  await sql`delete from idempotent_request where created_at < ${yesterday}`.execute(transaction);
  const lastMonth = new Date(now.getTime() - 31 * 24 * 3_600_000);
  await sql`delete from key_day where day < ${lastMonth}::date`.execute(transaction);
  await sql`delete from token_bucket where updated_at < ${yesterday}`.execute(transaction);
  await sql`delete from key_in_flight where process_id not in (select id from process)`.execute(transaction);
  return 0;
}
