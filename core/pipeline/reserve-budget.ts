import type { Kysely } from 'kysely';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import type { AccountBudget } from './account-budgets.ts';

/** What has to be waited for. */
export interface BudgetWait {
  /** The one of the budgets that takes longest. */
  readonly budget: AccountBudget;
  readonly waitMs: number;
}

const reserving = prepared<{ key: string; wait_ms: number }>(
  'select key, wait_ms from reserve_send_budget($1)',
);

/**
 * Speaks for one message under each of the keys, over all processes; null where it may go at once. Where it has to wait
 * nothing is spoken for.
 */
export async function reserveBudget(
  database: Kysely<Tables>,
  budgets: readonly AccountBudget[],
): Promise<BudgetWait | null> {
  if (budgets.length === 0) return null;
  const asked = budgets.map(({ channelId, key, everyMs, burst }) => ({
    channel_id: channelId,
    key,
    every: everyMs,
    burst,
  }));
  const [row] = await reserving(database, [JSON.stringify(asked)]);
  const budget = budgets.find(({ key }) => key === row?.key);
  return row === undefined || budget === undefined ? null : { budget, waitMs: Math.ceil(row.wait_ms) };
}
