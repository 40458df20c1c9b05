import type { Budget } from '../../core/contract/outbound.ts';

/** An app has 10,000 calls a minute, dealt out by ten seconds; an answer is up to four of them. */
const ALL: Budget = { key: 'all', everyMs: 25, burst: 100 };

export function budgets(): readonly Budget[] {
  return [ALL];
}
