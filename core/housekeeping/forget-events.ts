import { sql } from 'kysely';
import { batchRows, type TaskContext } from './task.ts';

/** Longer than any platform sends an event again. */
const keptDays = 2;

/** Removes events of channels that were dealt with: until then their ids tell that they are old news. */
export async function forgetEvents({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from inbound_event where number in (
      select number from inbound_event
      where handled_at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
