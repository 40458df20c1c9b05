import type { Address } from './address.ts';
import type { TelegramChat, TelegramMessage } from './update-schema.ts';

type Place = Pick<TelegramMessage, 'chat' | 'message_thread_id' | 'is_topic_message'>;

/** Null where nobody talks with us: channels are read, not answered. */
export function placeOf({ chat, ...message }: Place): Address | null {
  const kind = kindOf(chat);
  if (kind === null) return null;
  return { chat: chat.id, kind, topic: topicOf(message) ?? (chat.is_forum === true ? 1 : null) };
}

/** In groups without topics, `message_thread_id` tells of a chain of replies. */
function topicOf(message: Omit<Place, 'chat'>): number | null {
  return message.is_topic_message === true ? message.message_thread_id : null;
}

function kindOf({ type }: TelegramChat): Address['kind'] | null {
  return type === 'private' || type === 'group' || type === 'supergroup' ? type : null;
}
