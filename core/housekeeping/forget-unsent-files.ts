import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

const keptMs = 24 * 60 * 60 * 1_000;

/** Removes files that a visitor chose a day ago and did not send. */
export async function forgetUnsentFiles({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - keptMs);
  const { numAffectedRows } = await sql`
    delete from visitor_file where id in (
      select id from visitor_file
      where conversation_id is null and created_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
