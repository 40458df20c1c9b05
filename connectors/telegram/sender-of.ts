import type { Sender } from '../../core/contract/inbound.ts';
import type { TelegramMessage, TelegramUser } from './update-schema.ts';

const NOBODY: Sender = { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };

type Sent = Pick<TelegramMessage, 'from' | 'sender_chat' | 'is_automatic_forward' | 'contact'>;

export function senderOf(message: Sent, ownId: number): Sender {
  const { from, sender_chat: chat } = message;
  if (from?.id === ownId) return { ...NOBODY, id: String(from.id), name: nameOf(from), kind: 'self' };
  // Who writes as a group or a channel is a person, though Telegram lends him the name of one of its own bots.
  if (chat !== null) {
    const kind = message.is_automatic_forward === true ? 'machine' : 'person';
    return { ...NOBODY, id: String(chat.id), name: chat.title, kind };
  }
  if (from === null) return NOBODY;
  const kind = from.is_bot === true ? 'machine' : 'person';
  return {
    ...NOBODY,
    id: String(from.id),
    name: nameOf(from),
    phone: phoneOf(message),
    language: languageOf(from),
    kind,
  };
}

function nameOf({ first_name, last_name }: Pick<TelegramUser, 'first_name' | 'last_name'>): string | null {
  return [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || null;
}

/** `pt-br` is Portuguese to us. */
function languageOf({ language_code }: TelegramUser): string | null {
  return language_code?.split('-', 1)[0] ?? null;
}

/** Telegram vouches for a shared number where it is the sender's own. */
function phoneOf({ contact, from }: Sent): string | null {
  if (contact === null || contact.user_id === null || contact.user_id !== from?.id) return null;
  return contact.phone_number.startsWith('+') ? contact.phone_number : `+${contact.phone_number}`;
}
