import type { Kysely } from 'kysely';
import type { Budget } from '../contract/budget.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';

const reserving = prepared<{ wait: number }>('select reserve_send_budget($1, $2) as wait');

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
  const [row] = await reserving(database, [channelId, asked]);
  return Math.ceil(row?.wait ?? 0);
}
