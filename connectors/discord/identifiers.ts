import { z } from 'zod';
import type { ConversationRef, Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import { optionalField } from '../shared/http.ts';
import { pendingInteractionSchema } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';
import { type DiscordMessage, type DiscordUser, snowflake } from './payloads.ts';

const commonFields = {
  channel: snowflake,
  interaction: optionalField(pendingInteractionSchema),
};

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct'), ...commonFields }),
  /** A thread or a forum post. */
  z.object({ kind: z.literal('thread'), ...commonFields }),
  /** A message in a text channel. The answer goes into a thread that is created from it and has the message's id. */
  z.object({
    kind: z.literal('question'),
    ...commonFields,
    message: snowflake,
    user: snowflake,
    title: z.string(),
  }),
  /** A conversation with one person by replies, in a channel where no thread can be created. */
  z.object({
    kind: z.literal('channel'),
    ...commonFields,
    user: snowflake,
    message: optionalField(snowflake),
  }),
]);

export type Address = z.infer<typeof schema>;

export function toConversationRef(address: Address): ConversationRef {
  return { lane: laneKey(address), address };
}

function laneKey(address: Address): string {
  if (address.kind === 'question') return address.message;
  return address.kind === 'channel' ? `${address.channel}:${address.user}` : address.channel;
}

/** Parses an address; null if the value is not one. */
export function tryParseAddress(value: unknown): Address | null {
  return schema.safeParse(value).data ?? null;
}

export function parseAddress({ address }: { readonly address: Json }): Address {
  const parsed = tryParseAddress(address);
  if (parsed !== null) return parsed;
  throw new ConnectorError('The stored address is not a Discord conversation.', {
    advice: { retry: 'never' },
  });
}

interface MessageIdParts {
  readonly channel: string;
  readonly message: string;
}

/** Returns the message id. It includes the channel, which Discord requires to find a message. */
export function formatMessageId({ channel, message }: MessageIdParts): string {
  return `${channel}/${message}`;
}

export function parseMessageId(id: string): MessageIdParts | null {
  const [, channel, message] = /^(\d+)\/(\d+)$/.exec(id) ?? [];
  return channel === undefined || message === undefined ? null : { channel, message };
}

/** Returns the bot's user id: from the profile, or before the probe from the token, which contains it. */
export function botUserId({ credentials, profile }: DiscordAccount): string {
  if (typeof profile.id === 'string') return profile.id;
  return Buffer.from(credentials.bot_token.split('.')[0] ?? '', 'base64').toString();
}

/** Parses the sender of a message. Messages without an author and messages of webhooks are from a machine. */
export function parseSender({ author, webhook_id: webhook }: DiscordMessage, botId: string): Sender {
  if (author === null) {
    return { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };
  }
  const sender = parseUser(author, null);
  if (author.id === botId) return { ...sender, kind: 'self' };
  return author.bot === true || webhook !== null ? { ...sender, kind: 'machine' } : sender;
}

/** Parses a user. The language is the first part of the locale: `pt` for `pt-BR`. */
export function parseUser({ id, global_name, username }: DiscordUser, locale: string | null): Sender {
  return {
    id,
    name: global_name ?? username,
    email: null,
    phone: null,
    language: locale?.split('-', 1)[0] ?? null,
    kind: 'person',
  };
}
