import type { ConversationRef } from '../../core/contract/account.ts';
import type { Budget } from '../../core/contract/outbound.ts';
import { addressOf } from './address.ts';
import type { TelegramAccount } from './manifest.ts';

/** 30 a second in all, with a burst in it. */
const ALL: Budget = { key: 'all', everyMs: 40, burst: 5 };
const PRIVATE_MS = 1_000;
/** 20 a minute, and a little slower than that. */
const GROUP_MS = 3_100;

/** Topics share what their chat may be sent. */
export function budgets(to: ConversationRef, { settings }: TelegramAccount): readonly Budget[] {
  if (settings.pace === false) return [];
  const { chat, kind } = addressOf(to);
  return [{ key: `chat:${chat}`, everyMs: kind === 'private' ? PRIVATE_MS : GROUP_MS, burst: 1 }, ALL];
}
