import type { Intake } from '../contract/connector.ts';
import { type ChannelRecord, channelStatuses } from './channel-record.ts';

export const shownStatuses = [...channelStatuses, 'stale'] as const;

export interface ChannelState {
  /** `stale` in place of what was true when the platform was last heard of. An error tells more, and stays. */
  readonly status: (typeof shownStatuses)[number];
  readonly isStale: boolean;
}

/** Listeners hear of their platforms every minute at least, also where nobody says anything. */
const silenceMs = 120_000;

/** How a channel is now: connected is only what was heard of lately, where silence means something. Pure. */
export function channelState(
  { status, enabled, heardAt, createdAt }: ChannelRecord,
  intake: Intake | null,
  now: Date,
): ChannelState {
  const since = heardAt ?? createdAt;
  const isStale = enabled && intake === 'listener' && now.getTime() - since.getTime() >= silenceMs;
  return { status: isStale && status !== 'error' ? 'stale' : status, isStale };
}
