import type { Reply } from '../../../core/contract/outbound.ts';

/** What the engine says without anything beside it. */
export function plainReply(said: Partial<Reply>): Reply {
  return { author: 'bot', text: 'Hello', sources: [], replyTo: null, offers: [], handover: false, ...said };
}
