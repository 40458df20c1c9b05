import type { Budget } from '../../core/contract/budget.ts';

/** Providers refuse who sends faster: Microsoft 30 a minute, Google about as many. */
export function budgets(): readonly Budget[] {
  return [{ key: 'all', everyMs: 2_000, burst: 10 }];
}
