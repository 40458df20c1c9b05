import { sql } from 'kysely';
import type { TaskContext } from './task.ts';

/** Removes what no limit and no retry asks for any more. Rows are few enough to go at once: never another batch. */
export async function forgetCounts({ transaction, now }: TaskContext): Promise<number> {
  const yesterday = new Date(now.getTime() - 24 * 3_600_000);
  await sql`delete from idempotent_request where created_at < ${yesterday}`.execute(transaction);
  await sql`delete from token_bucket where updated_at < ${yesterday}`.execute(transaction);
  // Processes are seen by the database's clock.
  await sql`delete from process where seen_at < now() - interval '1 minute'`.execute(transaction);
  await sql`delete from key_in_flight where process_id not in (select id from process)`.execute(transaction);
  return 0;
}
