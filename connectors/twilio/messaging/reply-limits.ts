import type { ReplyLimits } from '../../../core/contract/outbound.ts';

/**
 * More answers than a person reads: by the number that Twilio signs, for its posts all come from the same addresses. What
 * is over it is taken like everything else, for a refused post would not come again, and each answer to it would cost.
 */
export const replyLimits: ReplyLimits = {
  perConversation: { count: 20, withinMs: 10 * 60_000 },
  perSender: { count: 100, withinMs: 24 * 3_600_000 },
};
