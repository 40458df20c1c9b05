import { type Kysely, sql } from 'kysely';
import { type Clock, monthOf, nextMonth, secondsUntil } from '../clock.ts';
import { AppError } from '../errors.ts';
import { Together } from '../storage/micro-batcher.ts';
import { prepared } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type PlanName, plans } from '../workspaces/plan.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** One message, counted against an owner's month before it is answered. */
export interface Reservation {
  readonly owner: string;
  /** The first day of the month that it counts in, such as `2026-03-01`. */
  readonly month: string;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

const reserving = prepared<{ counted: number }>('select reserve_messages($1, $2, $3, $4) as counted');

interface Allowance extends Reservation {
  /** A month; null: no end. */
  readonly most: number | null;
}

/**
 * The monthly messages of owners. A message is counted before it is answered, so that no two share the last one, and
 * given back when it failed.
 */
export class Quota {
  readonly #dependencies: Dependencies;
  /** Whether a message is among those that there was room for. */
  readonly #together: Together<Allowance, null, boolean>;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#together = new Together({
      nameOf: ({ owner, month, most }) => `${owner} ${month} ${most}`,
      run: async ({ owner, month, most }, { length }) => {
        const [row] = await reserving(dependencies.database, [owner, month, most, length]);
        return (_, place) => place < (row?.counted ?? 0);
      },
      gathers: true,
    });
  }

  /** Throws `quota_exhausted`. */
  async reserve(owner: string, plan: PlanName): Promise<Reservation> {
    const now = this.#dependencies.clock.now();
    const { messagesPerMonth } = plans[plan];
    const most = Number.isFinite(messagesPerMonth) ? messagesPerMonth : null;
    const reservation = { owner, month: monthOf(now) };
    if (!(await this.#together.ask({ ...reservation, most }, null))) throw quotaExhausted(now);
    return reservation;
  }

  /**
   * Where a message is to be counted with the answer that is stored, as the owner's messages have no end; null where it has
   * to be reserved.
   */
  withoutEnd(owner: string, plan: PlanName): Reservation | null {
    if (Number.isFinite(plans[plan].messagesPerMonth)) return null;
    return this.reservationOf(owner, this.#dependencies.clock.now());
  }

  /** What `admit_requests` counted at this time. */
  reservationOf(owner: string, at: Date): Reservation {
    return { owner, month: monthOf(at) };
  }

  /** The message came to nothing: it is not counted after all. */
  async refund({ owner, month }: Reservation): Promise<void> {
    await sql`
      update owner_usage set messages = messages - 1
      where owner_id = ${owner} and month = ${month}::date and messages > 0
    `.execute(this.#dependencies.database);
  }
}

/** The refusal of a message over the owner's monthly allowance, until the next month. */
export function quotaExhausted(now: Date): AppError {
  return new AppError('quota_exhausted', { retryAfterSeconds: secondsUntil(nextMonth(now), now) });
}

/** Counts one message of the workspace's owner for `work`, unless it fails. Throws `quota_exhausted`. */
export async function withQuota<Result>(
  quota: Quota,
  workspace: Workspace,
  work: () => Promise<Result>,
): Promise<Result> {
  const reservation = await quota.reserve(workspace.owner, workspace.plan);
  try {
    return await work();
  } catch (error) {
    await quota.refund(reservation);
    throw error;
  }
}
