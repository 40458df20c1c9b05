import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

/** Longer than people come back to a thread of letters. */
const keptDays = 400;

/** Removes what channels asked to remember and never told again. */
export async function forgetMemories({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from channel_memory where (channel_id, key) in (
      select channel_id, key from channel_memory
      where at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
