import type { Budget } from '../../../core/contract/outbound.ts';

/** What a plain long code sends; what is spoken counts against nothing. */
const MESSAGES: Budget = { key: 'messages', everyMs: 1_000, burst: 3 };

export function budgets(): readonly Budget[] {
  return [MESSAGES];
}
