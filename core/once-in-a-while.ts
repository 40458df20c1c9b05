import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

const ttl = 600_000;
const most = 1_000;

/** Tells whether something was last said at least ten minutes ago, and takes it as said. */
export function onceInAWhile(clock: Clock): (what: string) => boolean {
  const perf = { now: () => clock.now().getTime() };
  const said = new LRUCache<string, true>({ max: most, ttl, ttlResolution: 0, perf });
  return (what) => {
    if (said.has(what)) return false;
    said.set(what, true);
    return true;
  };
}
