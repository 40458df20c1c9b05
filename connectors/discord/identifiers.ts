import { z } from 'zod';
import type { ConversationRef, Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Sender } from '../../core/contract/inbound.ts';
import { optionalField } from '../shared/payload.ts';
import { pendingInteractionSchema } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';
import { type DiscordMessage, type DiscordUser, snowflake } from './payloads.ts';

const commonFields = {
  channel: snowflake,
  interaction: optionalField(pendingInteractionSchema),
};

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct'), ...commonFields }),
  /** Also a post of a forum. */
  z.object({ kind: z.literal('thread'), ...commonFields }),
  /** In a text channel: the answer goes to a thread that is made from it, which has the id of the message. */
  z.object({
    kind: z.literal('question'),
    ...commonFields,
    message: snowflake,
    user: snowflake,
    title: z.string(),
  }),
  /** Where no threads can be made: the conversation of one person, by replies. */
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

/** Null for what is none. */
export function tryParseAddress(value: unknown): Address | null {
  return schema.safeParse(value).data ?? null;
}

export function parseAddress({ address }: { readonly address: Json }): Address {
  const read = tryParseAddress(address);
  if (read !== null) return read;
  throw new ConnectorError('This is not the address of a conversation on Discord.', {
    advice: { retry: 'never' },
  });
}

interface MessageIdParts {
  readonly channel: string;
  readonly message: string;
}

/** A message is found by its own id together with that of its channel. */
export function formatMessageId({ channel, message }: MessageIdParts): string {
  return `${channel}/${message}`;
}

export function parseMessageId(id: string): MessageIdParts | null {
  const [, channel, message] = /^(\d+)\/(\d+)$/.exec(id) ?? [];
  return channel === undefined || message === undefined ? null : { channel, message };
}

/** The id of our user. It stands in the token as well: it is known before the platform was asked. */
export function botUserId({ credentials, profile }: DiscordAccount): string {
  if (typeof profile.id === 'string') return profile.id;
  return Buffer.from(credentials.bot_token.split('.')[0] ?? '', 'base64').toString();
}

/** What is not said by anybody, or by a webhook, is said by a machine. */
export function parseSender({ author, webhook_id: webhook }: DiscordMessage, botId: string): Sender {
  if (author === null) {
    return { id: '', name: null, email: null, phone: null, language: null, kind: 'machine' };
  }
  const sender = parseUser(author, null);
  if (author.id === botId) return { ...sender, kind: 'self' };
  return author.bot === true || webhook !== null ? { ...sender, kind: 'machine' } : sender;
}

/** `pt-BR` is Portuguese to us. */
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
