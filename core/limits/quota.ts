import { type Kysely, sql } from 'kysely';
import { type Clock, nextMonth, secondsUntil, startOfMonth } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type PlanName, plans } from '../workspaces/workspace-settings.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** One message counted against an owner's monthly quota before it is answered. */
export interface Reservation {
  readonly owner: string;
  /** First day of the month that it counts against, such as `2026-03-01`. */
  readonly month: string;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

const reserveSql = prepareStatement<{ counted: number }>(
  'select reserve_messages($1, $2, $3, $4) as counted',
);

interface Allowance extends Reservation {
  /** Monthly limit. Null for unlimited. */
  readonly max: number | null;
}

/**
 * Monthly message quota of owners. A message is counted before it is answered, so that concurrent requests
 * cannot share the last one, and refunded if it fails.
 */
export class MessageQuota {
  readonly #dependencies: Dependencies;
  /** Resolves with true if the message is within the limit. */
  readonly #batcher: MicroBatcher<Allowance, null, boolean>;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#batcher = new MicroBatcher({
      nameOf: ({ owner, month, max }) => `${owner} ${month} ${max}`,
      run: async ({ owner, month, max }, { length }) => {
        const [row] = await reserveSql(dependencies.database, [owner, month, max, length]);
        return (_, place) => place < (row?.counted ?? 0);
      },
      gathers: true,
    });
  }

  /** Counts a message. Throws `quota_exhausted`. */
  async reserve(owner: string, plan: PlanName): Promise<Reservation> {
    const now = this.#dependencies.clock.now();
    const { messagesPerMonth } = plans[plan];
    const max = Number.isFinite(messagesPerMonth) ? messagesPerMonth : null;
    const reservation = { owner, month: startOfMonth(now) };
    if (!(await this.#batcher.add({ ...reservation, max }, null))) throw quotaExhaustedError(now);
    return reservation;
  }

  /**
   * Returns a reservation to be counted together with the stored answer if the plan is unlimited. Null if the
   * message must be reserved first.
   */
  reserveUnlimited(owner: string, plan: PlanName): Reservation | null {
    if (Number.isFinite(plans[plan].messagesPerMonth)) return null;
    return this.toReservation(owner, this.#dependencies.clock.now());
  }

  /** Returns the reservation that `admit_requests` counted at this time. */
  toReservation(owner: string, at: Date): Reservation {
    return { owner, month: startOfMonth(at) };
  }

  /** Gives a message back that failed. */
  async refund({ owner, month }: Reservation): Promise<void> {
    await sql`
      update owner_usage set messages = messages - 1
      where owner_id = ${owner} and month = ${month}::date and messages > 0
    `.execute(this.#dependencies.database);
  }
}

/** Returns the error for an exhausted quota, to be retried next month. */
export function quotaExhaustedError(now: Date): AppError {
  return new AppError('quota_exhausted', { retryAfterSeconds: secondsUntil(nextMonth(now), now) });
}

/**
 * Counts one message of the workspace's owner for `work` and refunds it if `work` fails. Throws
 * `quota_exhausted`.
 */
export async function withReservedMessage<Result>(
  quota: MessageQuota,
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
