import type { ConversationRef } from '../../../core/contract/account.ts';
import type { Budget } from '../../../core/contract/outbound.ts';
import { addressOf } from '../messaging/address.ts';

/** Twilio takes 80 a second of a WhatsApp number. */
const NUMBER = { everyMs: 15, burst: 20 };
/** WhatsApp takes one in six seconds to the same visitor, after a burst of 45. */
const VISITOR = { everyMs: 6_000, burst: 30 };

export function budgets(to: ConversationRef): readonly Budget[] {
  const { visitor, number } = addressOf(to);
  return [
    { key: `to:${visitor}`, ...VISITOR },
    { key: `from:${number}`, ...NUMBER },
  ];
}
