import { type Kysely, sql } from 'kysely';
import type { Budget } from '../contract/budget.ts';
import { runPrepared } from '../storage/prepared.ts';
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
  const statement = sql<{ wait: number }>`
    select reserve_send_budget(${channelId}, ${asked}::jsonb) as wait
  `;
  const [row] = await runPrepared(statement, database);
  return Math.ceil(row?.wait ?? 0);
}
