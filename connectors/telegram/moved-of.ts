import type { InboundEvent } from '../../core/contract/inbound.ts';
import { conversationAt } from './address.ts';
import type { TelegramMessage } from './update-schema.ts';

/** A group that became a supergroup has another id from then on; both the old and the new one tell of it. */
export function movedOf({ chat, ...message }: TelegramMessage): InboundEvent | null {
  if (message.migrate_to_chat_id !== null) return moved(chat.id, message.migrate_to_chat_id);
  return message.migrate_from_chat_id === null ? null : moved(message.migrate_from_chat_id, chat.id);
}

function moved(from: number, to: number): InboundEvent {
  return {
    type: 'moved',
    from: conversationAt({ chat: from, kind: 'group', topic: null }),
    to: conversationAt({ chat: to, kind: 'supergroup', topic: null }),
  };
}
