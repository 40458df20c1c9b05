import type { LaneKey } from './lane-key.ts';
import { sessionOf } from './session-of.ts';

/** For `sort`: of two processes that lock several lanes, neither waits for the other. */
export function byLane(one: LaneKey, other: LaneKey): number {
  return sessionOf(one) < sessionOf(other) ? -1 : 1;
}
