import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import type { TelegramAccount } from './manifest.ts';
import type { TelegramChat, TelegramMessage, TelegramUser } from './payloads.ts';

const schema = z.object({
  chat: z.int(),
  kind: z.enum(['private', 'group', 'supergroup']),
  /** Of a forum; 1 is its General topic. */
  topic: z.int().nullable(),
});

export type Address = z.infer<typeof schema>;

const GENERAL = 1;

/** Messages of the General topic are those of the chat itself, as those of a group without topics are. */
export function toConversationRef(address: Address): ConversationRef {
  return { lane: laneKey(address.chat, address.topic), address };
}

export function laneKey(chat: number, topic: number | null): string {
  return topic === null || topic === GENERAL ? String(chat) : `${chat}:${topic}`;
}

export function parseAddress(conversation: ConversationRef): Address {
  const read = schema.safeParse(conversation.address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a Telegram chat.', { advice: { retry: 'never' } });
}

/** Telegram sends to the General topic where no topic is named, and finds none where it is. */
export function topicParameter({ topic }: Address): { message_thread_id?: number } {
  return topic === null || topic === GENERAL ? {} : { message_thread_id: topic };
}

type MessageLocation = Pick<TelegramMessage, 'chat' | 'message_thread_id' | 'is_topic_message'>;

/** Null where nobody talks with us: channels are read, not answered. */
export function replyAddress({ chat, ...message }: MessageLocation): Address | null {
  const kind = parseChatKind(chat);
  if (kind === null) return null;
  return { chat: chat.id, kind, topic: parseTopic(message) ?? (chat.is_forum === true ? 1 : null) };
}

/** In groups without topics, `message_thread_id` tells of a chain of replies. */
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

/** Telegram counts the messages of each chat anew: only together with the chat's is the id unique to the bot. */
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
  /** Without `@`; null until it was asked for. */
  readonly username: string | null;
}

/** Who we are. The id stands in the token: it is known before the platform was asked. */
export function botIdentity({ credentials, profile }: TelegramAccount): Bot {
  const username = profile.username;
  return {
    id: Number(credentials.bot_token.split(':')[0]),
    username: typeof username === 'string' ? username : null,
  };
}

const NOBODY: Sender = { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };

type Sent = Pick<TelegramMessage, 'from' | 'sender_chat' | 'is_automatic_forward' | 'contact'>;

export function parseSender(message: Sent, ownId: number): Sender {
  const { from, sender_chat: chat } = message;
  if (from?.id === ownId) return { ...NOBODY, id: String(from.id), name: fullName(from), kind: 'self' };
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
    name: fullName(from),
    phone: verifiedPhone(message),
    language: parseLanguage(from),
    kind,
  };
}

function fullName({ first_name, last_name }: Pick<TelegramUser, 'first_name' | 'last_name'>): string | null {
  return [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || null;
}

/** `pt-br` is Portuguese to us. */
function parseLanguage({ language_code }: TelegramUser): string | null {
  return language_code?.split('-', 1)[0] ?? null;
}

/** Telegram vouches for a shared number where it is the sender's own. */
function verifiedPhone({ contact, from }: Sent): string | null {
  if (contact === null || contact.user_id === null || contact.user_id !== from?.id) return null;
  return contact.phone_number.startsWith('+') ? contact.phone_number : `+${contact.phone_number}`;
}
