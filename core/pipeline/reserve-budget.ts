import { type Kysely, sql } from 'kysely';
import type { Budget } from '../contract/connector.ts';
import type { Tables } from '../storage/tables.ts';

/**
 * Speaks for one message under each of the keys, over all processes, and tells how many milliseconds it has to wait for
 * that: 0 where it may go at once. Where it has to wait nothing is spoken for.
 */
export async function reserveBudget(
  database: Kysely<Tables>,
  channelId: string,
  budgets: readonly Budget[],
): Promise<number> {
  if (budgets.length === 0) return 0;
  const asked = JSON.stringify(budgets.map(({ key, everyMs, burst }) => ({ key, every: everyMs, burst })));
  return database.transaction().execute(async (transaction) => {
    await sql`
      insert into send_budget (channel_id, key, spoken_until)
      select ${channelId}, key, clock_timestamp() from jsonb_to_recordset(${asked}::jsonb) as wanted (key text)
      order by key on conflict do nothing
    `.execute(transaction);
    const { rows } = await sql<{ wait: number }>`
      select greatest(0, extract(epoch from send_budget.spoken_until - clock_timestamp()) * 1000
                         - wanted.every * (wanted.burst - 1))::float8 as wait
      from jsonb_to_recordset(${asked}::jsonb) as wanted (key text, every float8, burst float8)
      join send_budget on send_budget.channel_id = ${channelId} and send_budget.key = wanted.key
      order by send_budget.key for update of send_budget
    `.execute(transaction);
    const wait = Math.max(...rows.map((row) => row.wait));
    if (wait > 0) return Math.ceil(wait);
    await sql`
      update send_budget
      set spoken_until = greatest(spoken_until, clock_timestamp()) + wanted.every * interval '1 millisecond'
      from jsonb_to_recordset(${asked}::jsonb) as wanted (key text, every float8)
      where send_budget.channel_id = ${channelId} and send_budget.key = wanted.key
    `.execute(transaction);
    return 0;
  });
}
