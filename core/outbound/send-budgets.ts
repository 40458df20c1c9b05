import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { OpenAccount } from '../channels/channel-account.ts';
import type { Clock } from '../clock.ts';
import type { ConversationRef } from '../contract/account.ts';
import type { LimitScope } from '../contract/connector-error.ts';
import type { Budget } from '../contract/outbound.ts';
import type { LaneKey } from '../inbound/lane.ts';
import type { Logger } from '../log.ts';
import type { Database } from '../storage/database.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A budget, and which channel has it. */
export interface AccountBudget extends Budget {
  readonly channelId: string;
}

/** What may be sent there. The last one is about all that the account sends. */
export function listBudgets(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  to: ConversationRef,
): readonly AccountBudget[] {
  return connector.budgets(to, account).map((budget) => ({
    ...budget,
    channelId: budget.ofApp ? (account.parentId ?? account.id) : account.id,
  }));
}

/** What has to be waited for. */
export interface BudgetWait {
  /** The one of the budgets that takes longest. */
  readonly budget: AccountBudget;
  readonly waitMs: number;
}

const reserveSql = prepareStatement<{ key: string; wait_ms: number }>(
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
  const [row] = await reserveSql(database, [JSON.stringify(asked)]);
  const budget = budgets.find(({ key }) => key === row?.key);
  return row === undefined || budget === undefined ? null : { budget, waitMs: Math.ceil(row.wait_ms) };
}

interface ReserveDependencies {
  readonly database: Pick<Database, 'kysely'>;
  readonly sendingLines: {
    findWaitBehindOthers(budgets: readonly AccountBudget[], called: string | null): BudgetWait | null;
  };
}

interface Asking {
  readonly budgets: readonly AccountBudget[];
  /** The line from which the lane was called; null where it was not. */
  readonly called: string | null;
}

/** Speaks for one message where nobody was here before; else, or where there is no budget, what has to be waited for. */
export async function reserveOrWait(
  { database, sendingLines }: ReserveDependencies,
  { budgets, called }: Asking,
): Promise<BudgetWait | null> {
  return (
    sendingLines.findWaitBehindOthers(budgets, called) ?? (await reserveBudget(database.kysely, budgets))
  );
}

interface Options {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** What a platform said while something was to be sent in a lane. */
interface Refused {
  readonly budgets: readonly AccountBudget[];
  readonly forMs: number;
  readonly limited: LimitScope;
}

interface Hold {
  readonly budget: AccountBudget;
  readonly forMs: number;
  readonly isAccount: boolean;
}

/** Whatever a platform says, somebody tries once an hour. */
const longestMs = 60 * 60 * 1_000;
const mostChannels = 1_000;

/**
 * What platforms take no more of for a while: nothing else is sent against such a limit meanwhile, by any process. Where a
 * platform does not say whether it means all of us, it does as soon as it refuses in a second place.
 */
export class RateLimitHolds {
  readonly #options: Options;
  /** The place in a channel that was refused last without saying what it is about, and until when. */
  readonly #unsaid = new LRUCache<string, { readonly place: string; readonly until: number }>({
    max: mostChannels,
  });

  constructor(options: Options) {
    this.#options = options;
  }

  async record({ lane }: Pick<LaneKey, 'lane'>, refused: Refused): Promise<void> {
    for (const hold of this.#holdsFor(lane, refused)) await this.#hold(hold);
  }

  #holdsFor(lane: string, { budgets, forMs: toldMs, limited }: Refused): readonly Hold[] {
    const account = budgets.at(-1);
    if (account === undefined) return [];
    const forMs = Math.min(toldMs, longestMs);
    if (limited === 'account') return [{ budget: account, forMs, isAccount: true }];
    const [own] = budgets.slice(0, -1);
    const here = own === undefined ? [] : [{ budget: own, forMs, isAccount: false }];
    if (limited === 'conversation') return here;
    const leftMs = this.#leftElsewhere(account.channelId, own?.key ?? lane, forMs);
    if (leftMs === null) return here;
    return [...here, { budget: account, forMs: Math.min(forMs, leftMs), isAccount: true }];
  }

  /** For how long another place is refused, too; null where none is. */
  #leftElsewhere(channelId: string, place: string, forMs: number): number | null {
    const now = this.#options.clock.now().getTime();
    const other = this.#unsaid.get(channelId);
    if (other !== undefined && other.place !== place && other.until > now) return other.until - now;
    this.#unsaid.set(channelId, { place, until: now + forMs });
    return null;
  }

  async #hold({ budget, forMs, isAccount }: Hold): Promise<void> {
    const { channelId, key, everyMs, burst, ofApp = false } = budget;
    const { database, log } = this.#options;
    // When it is over they go one by one again, and not all that may go at once after a pause.
    const spokenMs = forMs + everyMs * (burst - 1);
    await sql`
      insert into send_budget as held (channel_id, key, of_app, spoken_until, held_until) values (
        ${channelId}, ${key}, ${ofApp}, clock_timestamp() + ${spokenMs} * interval '1 millisecond',
        ${isAccount ? sql`clock_timestamp() + ${forMs} * interval '1 millisecond'` : null}
      )
      on conflict (channel_id, key) do update set
        of_app = excluded.of_app,
        spoken_until = greatest(held.spoken_until, excluded.spoken_until),
        held_until = greatest(held.held_until, excluded.held_until)
    `.execute(database);
    log.warn(
      { channel: channelId, limit: key, forMs },
      'nothing more is sent against this limit for a while',
    );
  }
}
