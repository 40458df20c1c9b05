import type { Intake } from '../contract/connector.ts';
import { type ChannelRecord, channelStatuses } from './channel-record.ts';

export const shownStatuses = [...channelStatuses, 'stale'] as const;

export interface ChannelState {
  /** `stale` in place of what was true when the platform was last heard of. An error tells more, and stays. */
  readonly status: (typeof shownStatuses)[number];
  readonly isStale: boolean;
}

interface Hearing {
  readonly intake: Intake | null;
  /** After how long a platform seems to have stopped; null where its silence means no more than elsewhere. */
  readonly staleAfterMs: number | null;
}

/** Listeners hear of their platforms every minute at least, also where nobody says anything. */
const longestSilenceMs = 120_000;

/** How a channel is now: connected is only what was heard of lately, where silence means something. Pure. */
export function channelState(record: ChannelRecord, hearing: Hearing, now: Date): ChannelState {
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
