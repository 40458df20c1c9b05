import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import type { TelegramAccount } from './manifest.ts';
import type { TelegramChat, TelegramMessage, TelegramUser } from './payloads.ts';

const schema = z.object({
  chat: z.int(),
  kind: z.enum(['private', 'group', 'supergroup']),
  /** The topic of a forum; 1 is the General topic. */
  topic: z.int().nullable(),
});

export type Address = z.infer<typeof schema>;

const GENERAL = 1;

/** The General topic shares its lane with the chat itself, like a group without topics. */
export function toConversationRef(address: Address): ConversationRef {
  return { lane: laneKey(address.chat, address.topic), address };
}

export function laneKey(chat: number, topic: number | null): string {
  return topic === null || topic === GENERAL ? String(chat) : `${chat}:${topic}`;
}

export function parseAddress(conversation: ConversationRef): Address {
  const parsed = schema.safeParse(conversation.address);
  if (parsed.success) return parsed.data;
  throw new ConnectorError('The stored address is not a Telegram chat.', { advice: { retry: 'never' } });
}

/** Messages without a topic go to the General topic; Telegram refuses its id 1. */
export function topicParameter({ topic }: Address): { message_thread_id?: number } {
  return topic === null || topic === GENERAL ? {} : { message_thread_id: topic };
}

type MessageLocation = Pick<TelegramMessage, 'chat' | 'message_thread_id' | 'is_topic_message'>;

/** Returns the address of a message's conversation; null for channels, which are not answered. */
export function replyAddress({ chat, ...message }: MessageLocation): Address | null {
  const kind = parseChatKind(chat);
  if (kind === null) return null;
  return { chat: chat.id, kind, topic: parseTopic(message) ?? (chat.is_forum === true ? 1 : null) };
}

/** In groups without topics, `message_thread_id` identifies a chain of replies. */
function parseTopic(message: Omit<MessageLocation, 'chat'>): number | null {
  return message.is_topic_message === true ? message.message_thread_id : null;
}

function parseChatKind({ type }: TelegramChat): Address['kind'] | null {
  return type === 'private' || type === 'group' || type === 'supergroup' ? type : null;
}

interface MessageIdParts {
  readonly chat: number;
  readonly message: number;
}

/** Returns the message id. It includes the chat, because Telegram numbers messages per chat. */
export function formatMessageId({ chat, message }: MessageIdParts): string {
  return `${chat}/${message}`;
}

export function parseMessageId(id: string): MessageIdParts | null {
  const [, chat, message] = /^(-?\d+)\/(\d+)$/.exec(id) ?? [];
  return chat === undefined || message === undefined
    ? null
    : { chat: Number(chat), message: Number(message) };
}

interface Bot {
  readonly id: number;
  /** Without `@`. Null before the probe. */
  readonly username: string | null;
}

/** Returns the bot's identity. The token contains the id, so the id is known before the probe. */
export function botIdentity({ credentials, profile }: TelegramAccount): Bot {
  const username = profile.username;
  return {
    id: Number(credentials.bot_token.split(':')[0]),
    username: typeof username === 'string' ? username : null,
  };
}

const EMPTY_SENDER: Sender = {
  id: '',
  name: null,
  email: null,
  phone: null,
  language: null,
  kind: 'machine',
};

type AuthorFields = Pick<TelegramMessage, 'from' | 'sender_chat' | 'is_automatic_forward' | 'contact'>;

export function parseSender(message: AuthorFields, ownId: number): Sender {
  const { from, sender_chat: chat } = message;
  if (from?.id === ownId) return { ...EMPTY_SENDER, id: String(from.id), name: fullName(from), kind: 'self' };
  // For people who write as a group or channel, Telegram sets `from` to one of its own bots.
  if (chat !== null) {
    const kind = message.is_automatic_forward === true ? 'machine' : 'person';
    return { ...EMPTY_SENDER, id: String(chat.id), name: chat.title, kind };
  }
  if (from === null) return EMPTY_SENDER;
  const kind = from.is_bot === true ? 'machine' : 'person';
  return {
    ...EMPTY_SENDER,
    id: String(from.id),
    name: fullName(from),
    phone: verifiedPhone(message),
    language: parseLanguage(from),
    kind,
  };
}

function fullName({ first_name, last_name }: Pick<TelegramUser, 'first_name' | 'last_name'>): string | null {
  return [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || null;
}

/** Returns the first part of the language code: `pt` for `pt-br`. */
function parseLanguage({ language_code }: TelegramUser): string | null {
  return language_code?.split('-', 1)[0] ?? null;
}

/** Returns the phone number of a shared contact if it is the sender's own, which Telegram guarantees by `user_id`. */
function verifiedPhone({ contact, from }: AuthorFields): string | null {
  if (contact === null || contact.user_id === null || contact.user_id !== from?.id) return null;
  return contact.phone_number.startsWith('+') ? contact.phone_number : `+${contact.phone_number}`;
}
