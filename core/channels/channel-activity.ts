import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { ZodError } from 'zod';
import type { Account } from '../contract/account.ts';
import type { AnyConnector, Intake } from '../contract/connector.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type ChannelRecord, channelStatuses } from './channel-account.ts';

const recordIntervalMs = 10_000;

/** Keeps when platforms were heard of last, and not each time. */
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
        // What was stored unverified has shown that it works.
        status: sql<string>`case status when 'connecting' then 'connected' else status end`,
      })
      .where('id', '=', id)
      .where((where) =>
        // Other processes hear of it too.
        where.or([
          where('heard_at', 'is', null),
          where('heard_at', '<=', new Date(time - recordIntervalMs)),
          where('status', '=', 'connecting'),
        ]),
      )
      .execute();
  }
}

/** After how long a platform seems to have stopped, in milliseconds; null where its silence means no more than elsewhere. */
export function findStaleAfterMs({ facets }: AnyConnector, account: Account): number | null {
  try {
    return facets.staleAfterMs?.(account) ?? null;
  } catch (error) {
    // Settings of another version, which this one cannot read.
    if (error instanceof ZodError) return null;
    throw error;
  }
}

export const shownStatuses = [...channelStatuses, 'stale'] as const;

export interface ChannelState {
  /** `stale` in place of what was true when the platform was last heard of. An error tells more, and stays. */
  readonly status: (typeof shownStatuses)[number];
  readonly isStale: boolean;
}

interface ChannelStateHearing {
  readonly intake: Intake | null;
  /** After how long a platform seems to have stopped; null where its silence means no more than elsewhere. */
  readonly staleAfterMs: number | null;
}

/** Listeners hear of their platforms every minute at least, also where nobody says anything. */
const longestSilenceMs = 120_000;

/** How a channel is now: connected is only what was heard of lately, where silence means something. Pure. */
export function toChannelState(record: ChannelRecord, hearing: ChannelStateHearing, now: Date): ChannelState {
  const { status, enabled, heardAt, createdAt } = record;
  const { staleAfterMs } = hearing;
  const [since, mostMs] =
    hearing.intake === 'listener'
      ? [heardAt ?? createdAt, Math.min(staleAfterMs ?? longestSilenceMs, longestSilenceMs)]
      : [heardAt, staleAfterMs];
  const mayBeStale = enabled && hearing.intake !== null && since !== null && mostMs !== null;
  const isStale = mayBeStale && now.getTime() - since.getTime() >= mostMs;
  return { status: isStale && status !== 'error' ? 'stale' : status, isStale };
}
