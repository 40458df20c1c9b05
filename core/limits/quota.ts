import { type Kysely, sql } from 'kysely';
import { type Clock, nextMonth, secondsUntil, startOfMonth } from '../clock.ts';
import { AppError } from '../errors.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type PlanName, plans } from '../workspaces/workspace-settings.ts';
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

const reserving = prepareStatement<{ counted: number }>('select reserve_messages($1, $2, $3, $4) as counted');

interface Allowance extends Reservation {
  /** A month; null: no end. */
  readonly most: number | null;
}

/**
 * The monthly messages of owners. A message is counted before it is answered, so that no two share the last one, and
 * given back when it failed.
 */
export class MessageQuota {
  readonly #dependencies: Dependencies;
  /** Whether a message is among those that there was room for. */
  readonly #together: MicroBatcher<Allowance, null, boolean>;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#together = new MicroBatcher({
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
    const reservation = { owner, month: startOfMonth(now) };
    if (!(await this.#together.add({ ...reservation, most }, null))) throw quotaExhaustedError(now);
    return reservation;
  }

  /**
   * Where a message is to be counted with the answer that is stored, as the owner's messages have no end; null where it has
   * to be reserved.
   */
  reserveUnlimited(owner: string, plan: PlanName): Reservation | null {
    if (Number.isFinite(plans[plan].messagesPerMonth)) return null;
    return this.toReservation(owner, this.#dependencies.clock.now());
  }

  /** What `admit_requests` counted at this time. */
  toReservation(owner: string, at: Date): Reservation {
    return { owner, month: startOfMonth(at) };
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
export function quotaExhaustedError(now: Date): AppError {
  return new AppError('quota_exhausted', { retryAfterSeconds: secondsUntil(nextMonth(now), now) });
}

/** Counts one message of the workspace's owner for `work`, unless it fails. Throws `quota_exhausted`. */
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
