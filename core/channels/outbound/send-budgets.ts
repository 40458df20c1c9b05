import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ConversationRef } from '../../contract/account.ts';
import type { LimitScope } from '../../contract/connector-error.ts';
import type { Budget } from '../../contract/outbound.ts';
import type { Database } from '../../storage/database.ts';
import { prepareStatement } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { OpenAccount } from '../accounts/channel-account.ts';
import type { LaneKey } from '../inbound/lane.ts';

/** A budget and the channel that owns it. */
export interface AccountBudget extends Budget {
  readonly channelId: string;
}

/** Returns the budgets of a conversation. The last one limits the whole account. */
export function listBudgets(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  to: ConversationRef,
): readonly AccountBudget[] {
  return connector
    .open(account)
    .budgets(to)
    .map((budget) => ({
      ...budget,
      channelId: budget.ofApp ? (account.parentId ?? account.id) : account.id,
    }));
}

/** The budget that must be waited for. */
export interface BudgetWait {
  /** The budget with the longest wait. */
  readonly budget: AccountBudget;
  readonly waitMs: number;
}

const reserveSql = prepareStatement<{ key: string; wait_ms: number }>(
  'select key, wait_ms from reserve_send_budget($1)',
);

/**
 * Reserves one message in each budget, across all processes. Returns null on success. If one budget is
 * exhausted, reserves nothing and returns the wait.
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
  const [row] = await reserveSql(database, [JSON.stringify(asked)]);
  const budget = budgets.find(({ key }) => key === row?.key);
  return row === undefined || budget === undefined ? null : { budget, waitMs: Math.ceil(row.wait_ms) };
}

interface ReserveDependencies {
  readonly database: Pick<Database, 'kysely'>;
  readonly budgetWaitQueue: {
    findWaitBehindOthers(budgets: readonly AccountBudget[], called: string | null): BudgetWait | null;
  };
}

interface ReservationRequest {
  readonly budgets: readonly AccountBudget[];
  /** The queue from which the lane was called. Null if it was not called. */
  readonly called: string | null;
}

/**
 * Reserves one message, unless other lanes already wait for one of the budgets. Returns the wait, or null on
 * success.
 */
export async function reserveOrWait(
  { database, budgetWaitQueue }: ReserveDependencies,
  { budgets, called }: ReservationRequest,
): Promise<BudgetWait | null> {
  return (
    budgetWaitQueue.findWaitBehindOthers(budgets, called) ?? (await reserveBudget(database.kysely, budgets))
  );
}

interface Options {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** A rate limit reported by a platform. */
interface RateLimit {
  readonly budgets: readonly AccountBudget[];
  readonly forMs: number;
  readonly limited: LimitScope;
}

interface Hold {
  readonly budget: AccountBudget;
  readonly forMs: number;
  readonly isAccount: boolean;
}

/** Maximum hold. After an hour one message is tried, whatever the platform asked for. */
const MAX_HOLD_MS = 60 * 60 * 1_000;
const MAX_CHANNELS = 1_000;

/**
 * Holds of budgets that a platform has rate-limited: no process sends against them meanwhile. If the platform
 * does not say whether the limit applies to the whole account, it does once a second conversation is refused.
 */
export class RateLimitHolds {
  readonly #options: Options;
  /** The last conversation of each channel that was refused without a scope, and until when. */
  readonly #lastUnscoped = new LRUCache<string, { readonly place: string; readonly until: number }>({
    max: MAX_CHANNELS,
  });

  constructor(options: Options) {
    this.#options = options;
  }

  async record({ lane }: Pick<LaneKey, 'lane'>, rateLimit: RateLimit): Promise<void> {
    for (const hold of this.#holdsFor(lane, rateLimit)) await this.#hold(hold);
  }

  #holdsFor(lane: string, { budgets, forMs: requestedMs, limited }: RateLimit): readonly Hold[] {
    const account = budgets.at(-1);
    if (account === undefined) return [];
    const forMs = Math.min(requestedMs, MAX_HOLD_MS);
    if (limited === 'account') return [{ budget: account, forMs, isAccount: true }];
    const [own] = budgets.slice(0, -1);
    const conversationHolds = own === undefined ? [] : [{ budget: own, forMs, isAccount: false }];
    if (limited === 'conversation') return conversationHolds;
    const leftMs = this.#findOtherHoldMs(account.channelId, own?.key ?? lane, forMs);
    if (leftMs === null) return conversationHolds;
    return [...conversationHolds, { budget: account, forMs: Math.min(forMs, leftMs), isAccount: true }];
  }

  /** Returns for how long another conversation is refused as well. Null if there is none. */
  #findOtherHoldMs(channelId: string, place: string, forMs: number): number | null {
    const now = this.#options.clock.now().getTime();
    const lastRefused = this.#lastUnscoped.get(channelId);
    if (lastRefused !== undefined && lastRefused.place !== place && lastRefused.until > now)
      return lastRefused.until - now;
    this.#lastUnscoped.set(channelId, { place, until: now + forMs });
    return null;
  }

  async #hold({ budget, forMs, isAccount }: Hold): Promise<void> {
    const { channelId, key, everyMs, burst, ofApp = false } = budget;
    const { database, log } = this.#options;
    // After the hold, messages are sent one by one, not as a full burst.
    const reservedMs = forMs + everyMs * (burst - 1);
    await sql`
      insert into send_budget as held (channel_id, key, of_app, spoken_until, held_until) values (
        ${channelId}, ${key}, ${ofApp}, clock_timestamp() + ${reservedMs} * interval '1 millisecond',
        ${isAccount ? sql`clock_timestamp() + ${forMs} * interval '1 millisecond'` : null}
      )
      on conflict (channel_id, key) do update set
        of_app = excluded.of_app,
        spoken_until = greatest(held.spoken_until, excluded.spoken_until),
        held_until = greatest(held.held_until, excluded.held_until)
    `.execute(database);
    log.warn({ channel: channelId, limit: key, forMs }, 'rate limit reached, sending is paused');
  }
}
