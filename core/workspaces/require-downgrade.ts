import { type Kysely, sql } from 'kysely';
import { AppError } from '../errors.ts';
import { monthOf } from '../limits/month-of.ts';
import type { Tables } from '../storage/tables.ts';
import { type PlanName, plans } from './plan.ts';

interface PlanChange {
  readonly owner: string;
  readonly from: PlanName;
  readonly to: PlanName;
  readonly at: Date;
}

/** Throws `plan_downgrade_blocked` when the owner has used more this month than a lower plan gives. */
export async function requireDowngrade(
  database: Kysely<Tables>,
  { owner, from, to, at }: PlanChange,
): Promise<void> {
  const most = plans[to].messagesPerMonth;
  if (most >= plans[from].messagesPerMonth) return;
  const usage = await database
    .selectFrom('owner_usage')
    .select('messages')
    .where('owner_id', '=', owner)
    .where('month', '=', sql<Date>`${monthOf(at)}::date`)
    .executeTakeFirst();
  const used = usage?.messages ?? 0;
  if (used <= most) return;
  throw new AppError('plan_downgrade_blocked', {
    detail: `The owner has used ${used} messages this month and the plan ${to} has ${most}: lower it next month.`,
  });
}
