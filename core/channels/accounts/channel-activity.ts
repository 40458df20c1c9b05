import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { ZodError } from 'zod';
import type { Account } from '../../contract/account.ts';
import type { AnyConnector, Intake } from '../../contract/connector.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type ChannelRecord, channelStatuses } from './channel-account.ts';

const recordIntervalMs = 10_000;

/** SQL of the time of a channel's first answered message, as far as its rows are kept. */
const answeredSince = sql`(
  select min(received_at) from inbound_event where channel_id = channel.id and answer_id is not null
)`;

/** SQL of the time of a channel's first part that was sent, as far as its rows are kept. */
const sentSince = sql`(
  select min(sent_at) from outbound_part
  where channel_id = channel.id and outbound_part.status in ('sent', 'delivered', 'read')
)`;

/** Stores that a request with a wrong signature came for a channel, at most once every ten seconds. */
export async function recordRefusal(database: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await database
    .updateTable('channel')
    .set({ refused_at: at })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('refused_at', 'is', null),
        where('refused_at', '<=', new Date(at.getTime() - recordIntervalMs)),
      ]),
    )
    .execute();
}

/** Stores the time of each platform's last activity, at most once every ten seconds for each channel. */
export class ChannelActivity {
  readonly #database: Kysely<Tables>;
  readonly #written = new LRUCache<string, number>({ max: 10_000 });

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  async record(id: string, at: Date): Promise<void> {
    const time = at.getTime();
    if (time - (this.#written.get(id) ?? 0) < recordIntervalMs) return;
    this.#written.set(id, time);
    await this.#database
      .updateTable('channel')
      .set({
        heard_at: at,
        // Activity proves that an account stored without verification works.
        status: sql<string>`case status when 'connecting' then 'connected' else status end`,
        // Maintenance deletes events and parts after a while, but keeps the time that they prove. The rows are read
        // until there is proof.
        first_message_at: sql<Date | null>`coalesce(first_message_at, ${answeredSince})`,
        first_answer_at: sql<Date | null>`coalesce(first_answer_at, ${sentSince})`,
      })
      .where('id', '=', id)
      .where((where) =>
        // Other processes record activity of the same channel.
        where.or([
          where('heard_at', 'is', null),
          where('heard_at', '<=', new Date(time - recordIntervalMs)),
          where('status', '=', 'connecting'),
        ]),
      )
      .execute();
  }
}

/** Returns the silence in milliseconds after which a channel is stale; null if silence has no special meaning. */
export function findStaleAfterMs(connector: AnyConnector, account: Account): number | null {
  try {
    return connector.open(account).staleAfterMs ?? null;
  } catch (error) {
    // The settings come from another version and cannot be parsed by this one.
    if (error instanceof ZodError) return null;
    throw error;
  }
}

export const shownStatuses = [...channelStatuses, 'stale'] as const;

export interface ChannelState {
  /** `stale` replaces a status that was true at the last activity. `error` is more specific and stays. */
  readonly status: (typeof shownStatuses)[number];
  readonly isStale: boolean;
}

interface ActivityExpectation {
  readonly intake: Intake | null;
  /** The silence in milliseconds after which the channel is stale; null if silence has no special meaning. */
  readonly staleAfterMs: number | null;
}

/** Listeners report activity at least once a minute, even without messages; two minutes allow for one missed report. */
const maxSilenceMs = 120_000;

/**
 * Returns the current state of a channel. A channel is `connected` only if its last activity is recent, where silence has
 * a meaning. Pure.
 */
export function toChannelState(
  record: ChannelRecord,
  expectation: ActivityExpectation,
  now: Date,
): ChannelState {
  const { status, enabled, heardAt, createdAt } = record;
  const { staleAfterMs } = expectation;
  const [since, limitMs] =
    expectation.intake === 'listener'
      ? [heardAt ?? createdAt, Math.min(staleAfterMs ?? maxSilenceMs, maxSilenceMs)]
      : [heardAt, staleAfterMs];
  const mayBeStale = enabled && expectation.intake !== null && since !== null && limitMs !== null;
  const isStale = mayBeStale && now.getTime() - since.getTime() >= limitMs;
  return { status: isStale && status !== 'error' ? 'stale' : status, isStale };
}
