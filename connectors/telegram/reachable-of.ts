import type { InboundEvent } from '../../core/contract/inbound.ts';
import { conversationAt } from './address.ts';
import { placeOf } from './place-of.ts';
import type { TelegramMembership } from './update-schema.ts';

/** Who blocks a bot in a private chat makes it "kicked" there. */
export function reachableOf({ chat, new_chat_member: member }: TelegramMembership): InboundEvent | null {
  const place = placeOf({ chat, message_thread_id: null, is_topic_message: null });
  if (place === null) return null;
  return { type: 'reachable', conversation: conversationAt(place), reachable: isReachable(member) };
}

function isReachable(member: TelegramMembership['new_chat_member']): boolean {
  if (member.status === 'restricted') return member.is_member !== false && member.can_send_messages !== false;
  return !['left', 'kicked'].includes(member.status);
}
