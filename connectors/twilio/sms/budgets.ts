import type { ConversationRef } from '../../../core/contract/account.ts';
import type { Budget } from '../../../core/contract/outbound.ts';
import { addressOf } from '../messaging/address.ts';

/** A number of ten digits sends one segment a second in the United States; Twilio keeps what is more in a queue. */
const NUMBER = { everyMs: 1_000, burst: 30 };
/** Nobody reads faster, and who is sent more in a row takes us for a machine gone wild. */
const VISITOR = { everyMs: 2_000, burst: 5 };

export function budgets(to: ConversationRef): readonly Budget[] {
  const { visitor, number } = addressOf(to);
  return [
    { key: `to:${visitor}`, ...VISITOR },
    { key: `from:${number}`, ...NUMBER },
  ];
}
