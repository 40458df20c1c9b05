import type { LaneKey } from './lane-key.ts';

/** What stands for the visitor's session in a conversation of a channel. */
export function sessionOf({ channelId, lane }: LaneKey): string {
  return `${channelId}:${lane}`;
}
