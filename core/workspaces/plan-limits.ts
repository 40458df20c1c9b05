import { type Kysely, sql } from 'kysely';
import { startOfMonth } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type PlanName, plans } from './workspace-settings.ts';

/**
 * Only checks a value that is being set. A value set earlier under a higher plan is capped where it is used.
 */
export function assertRetentionAllowed(days: number | null | undefined, plan: PlanName): void {
  const max = plans[plan].retentionDays;
  if (days == null || days <= max) return;
  throw new AppError('invalid_settings', {
    detail: `The plan ${plan} allows at most ${max} for retention_days.`,
  });
}

interface PlanChange {
  readonly owner: string;
  readonly from: PlanName;
  readonly to: PlanName;
  readonly at: Date;
}

/**
 * Throws `plan_downgrade_blocked` if the owner has used more messages this month than the lower plan includes.
 */
export async function assertDowngradeAllowed(
  database: Kysely<Tables>,
  { owner, from, to, at }: PlanChange,
): Promise<void> {
  const max = plans[to].messagesPerMonth;
  if (max >= plans[from].messagesPerMonth) return;
  const usage = await database
    .selectFrom('owner_usage')
    .select('messages')
    .where('owner_id', '=', owner)
    .where('month', '=', sql<Date>`${startOfMonth(at)}::date`)
    .executeTakeFirst();
  const used = usage?.messages ?? 0;
  if (used <= max) return;
  throw new AppError('plan_downgrade_blocked', {
    detail: `The owner has used ${used} messages this month, but the plan ${to} includes only ${max}. Change the plan next month.`,
  });
}
