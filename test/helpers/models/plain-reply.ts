import type { Reply } from '../../../core/contract/outbound.ts';

/** Returns a reply of the engine, with nothing but the given fields. */
export function plainReply(said: Partial<Reply>): Reply {
  return { author: 'bot', text: 'Hello', sources: [], replyTo: null, offers: [], handover: false, ...said };
}
