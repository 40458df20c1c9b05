import type { ConversationRef } from '../../core/contract/account.ts';
import type { Budget } from '../../core/contract/outbound.ts';
import type { EmailAccount } from './manifest.ts';

const MINUTE_MS = 60_000;
/** Of a minute's mails: as many may go at once after a pause. */
const AT_ONCE = 1 / 3;

/** Providers refuse who sends faster, and lock out who goes on. */
export function budgets(_to: ConversationRef, { settings }: EmailAccount): readonly Budget[] {
  const { sends_per_minute: count } = settings;
  return [{ key: 'all', everyMs: Math.ceil(MINUTE_MS / count), burst: Math.ceil(count * AT_ONCE) }];
}
