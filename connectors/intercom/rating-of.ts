import type { ConversationRef } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { adminOf } from './admin-of.ts';
import { authorOf } from './author-of.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomConversation } from './notification-schema.ts';
import { senderOf } from './sender-of.ts';

interface Place {
  readonly conversation: ConversationRef;
  readonly sentAt: Date;
}

const GOOD = 4;
const BAD = 2;

/** A conversation is rated from 1 to 5, and not an answer of it: what we said last stands for it. Null for teammates'. */
export function ratingOf(
  { conversation_rating: given }: IntercomConversation,
  place: Place,
  account: IntercomAccount,
): InboundEvent | null {
  const isOurs = given?.teammate == null || authorOf(given.teammate, adminOf(account)) === 'us';
  if (given?.rating == null || !isOurs) return null;
  const value = given.rating >= GOOD ? 'up' : given.rating <= BAD ? 'down' : null;
  const sender = senderOf(given.contact, account);
  return { type: 'feedback', ...place, sender, messageId: null, value, comment: given.remark || null };
}
