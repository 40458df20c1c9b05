import { AppError } from '../errors.ts';
import { type PlanName, plans } from '../workspaces/plan.ts';
import type { AdmissionRow } from './admission-row.ts';
import { nextMidnight } from './next-midnight.ts';
import { secondsUntil } from './seconds-until.ts';

const minuteMs = 60_000;

interface Entrance {
  readonly row: AdmissionRow;
  readonly at: Date;
  /** Among those that asked with it. */
  readonly place: number;
}

/** Why a request with a good key is not let in, and when to come back; null when it is. */
export function refusalOf({ row, at, place }: Entrance, plan: PlanName): AppError | null {
  if (!plans[plan].apiAccess) return new AppError('feature_not_in_plan');
  if (place < row.let_in) return null;
  switch (row.refused) {
    case 'minute': {
      const over = new Date(row.minute_started_at.getTime() + minuteMs);
      return new AppError('rate_limit_minute', { retryAfterSeconds: secondsUntil(over, at) });
    }
    case 'day':
      return new AppError('rate_limit_day', { retryAfterSeconds: secondsUntil(nextMidnight(at), at) });
    case 'concurrent':
      return new AppError('rate_limit_concurrent', { retryAfterSeconds: 1 });
    case null:
      return null;
  }
}
