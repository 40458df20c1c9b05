import type { ConversationRef } from '../../core/contract/account.ts';
import type { Budget } from '../../core/contract/outbound.ts';
import { addressOf } from './address.ts';

/** 50 calls a second of a bot, whichever guilds it is in; answers are not all that is called for. */
const ALL: Budget = { key: 'all', everyMs: 40, burst: 5, ofApp: true };
/** Five messages in five seconds. */
const CHANNEL = { everyMs: 2_500, burst: 3 };

export function budgets(to: ConversationRef): readonly Budget[] {
  const address = addressOf(to);
  // What takes the place of "thinking" is no message of the channel's: many may ask there at once.
  if (address.interaction !== null) return [ALL];
  // The thread of a question counts by itself, and is not made yet.
  const channel = address.kind === 'question' ? address.message : address.channel;
  return [{ key: `channel:${channel}`, ...CHANNEL }, ALL];
}
