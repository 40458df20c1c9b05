import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { optionalField } from '../shared/http.ts';

/** A Discord id, unique over all kinds of objects. It contains its creation time and has more bits than a JavaScript number. */
export const snowflake = z.string().regex(/^\d{15,20}$/, 'A Discord id is a number of 15 to 20 digits.');

const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

export function snowflakeTime(id: string): Date {
  return new Date(Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS);
}

/** Returns the lowest id that Discord can create at a time. */
export function firstSnowflakeAt(time: Date): string {
  return String(BigInt(Math.max(0, time.getTime() - EPOCH_MS)) << TIME_SHIFT);
}

/** The channel types in which a thread can be created: text and announcements. */
export const TEXT_CHANNELS: readonly number[] = [0, 5];
/** Announcement, public and private threads; a forum post is one of these. */
export const THREAD_CHANNELS: readonly number[] = [10, 11, 12];

/** The types of messages that people write; other types are system messages. */
export const DEFAULT_MESSAGE = 0;
export const REPLY_MESSAGE = 19;

/** The types of interactions: a command and a press of a component. */
export const APPLICATION_COMMAND = 2;
export const MESSAGE_COMPONENT = 3;

const user = z.object({
  id: snowflake,
  bot: optionalField(z.boolean()),
  username: optionalField(z.string()),
  global_name: optionalField(z.string()),
});

const time = z.iso.datetime({ offset: true });

const attachment = z.object({
  id: snowflake,
  filename: optionalField(z.string()),
  content_type: optionalField(z.string()),
  size: optionalField(z.int().nonnegative()),
  /** The duration of voice messages. */
  duration_secs: optionalField(z.number()),
  url: z.string(),
});

/** The part of another message that a message forwards. */
const snapshot = z.object({
  message: z.object({ content: optionalField(z.string()), attachments: optionalField(z.array(attachment)) }),
});

/** The used fields of a message. A missing field, or one of another type, becomes null, except `id` and `channel_id`. */
export const messageSchema = z.object({
  id: snowflake,
  channel_id: snowflake,
  guild_id: optionalField(snowflake),
  channel_type: optionalField(z.int()),
  type: optionalField(z.int()),
  author: optionalField(user),
  webhook_id: optionalField(snowflake),
  content: optionalField(z.string()),
  timestamp: optionalField(time),
  edited_timestamp: optionalField(time),
  mentions: optionalField(z.array(user)),
  mention_roles: optionalField(z.array(snowflake)),
  attachments: optionalField(z.array(attachment)),
  sticker_items: optionalField(
    z.array(
      z.object({ id: snowflake, name: optionalField(z.string()), format_type: optionalField(z.int()) }),
    ),
  ),
  message_snapshots: optionalField(z.array(snapshot)),
  referenced_message: optionalField(z.object({ author: optionalField(user) })),
});

export const interactionSchema = z.object({
  id: snowflake,
  type: z.int(),
  token: z.string(),
  guild_id: optionalField(snowflake),
  channel_id: optionalField(snowflake),
  channel: optionalField(z.object({ id: snowflake, type: optionalField(z.int()) })),
  member: optionalField(z.object({ user })),
  user: optionalField(user),
  locale: optionalField(z.string()),
  message: optionalField(z.object({ id: snowflake, flags: optionalField(z.int()) })),
  data: optionalField(
    z.object({
      name: optionalField(z.string()),
      custom_id: optionalField(z.string()),
      options: optionalField(z.array(z.object({ name: z.string(), value: optionalField(z.string()) }))),
    }),
  ),
});

/** A gateway event, with facts that were known when it arrived and that it does not contain. */
export const dispatchSchema = z.object({
  t: z.string(),
  d: z.unknown().optional(),
  /** The type of the event's channel. */
  channelType: optionalField(z.int()),
  /** The title of the forum post that the message begins. */
  title: optionalField(z.string()),
  /** The role that Discord created for the bot. A mention of it counts as a mention of the bot. */
  role: optionalField(snowflake),
  /** Whether no thread can be created in the event's channel. */
  threadless: optionalField(z.boolean()),
  /** The address of the event's conversation. */
  at: z.unknown().optional(),
});

export type DiscordUser = z.infer<typeof user>;
export type DiscordMessage = z.infer<typeof messageSchema>;
export type DiscordInteraction = z.infer<typeof interactionSchema>;
export type Dispatch = z.infer<typeof dispatchSchema>;

/** A stored event: a gateway event with its name, or an interaction from a webhook. */
export type NativeEvent =
  | {
      readonly kind: 'message' | 'edit' | 'deletion';
      readonly message: DiscordMessage;
      readonly dispatch: Dispatch;
    }
  | { readonly kind: 'interaction'; readonly interaction: DiscordInteraction }
  | { readonly kind: 'other'; readonly name: string };

const messageEventKinds: Readonly<Record<string, 'message' | 'edit' | 'deletion'>> = {
  MESSAGE_CREATE: 'message',
  MESSAGE_UPDATE: 'edit',
  MESSAGE_DELETE: 'deletion',
};

export function parseNative(native: Json): NativeEvent {
  const dispatch = dispatchSchema.safeParse(native).data;
  if (dispatch === undefined) return parseInteraction(native, 'an interaction');
  if (dispatch.t === 'INTERACTION_CREATE') return parseInteraction(dispatch.d, dispatch.t);
  const kind = messageEventKinds[dispatch.t];
  const message = messageSchema.safeParse(dispatch.d).data;
  if (kind === undefined || message === undefined) return { kind: 'other', name: dispatch.t || 'nothing' };
  return { kind, message, dispatch };
}

function parseInteraction(value: unknown, name: string): NativeEvent {
  const interaction = interactionSchema.safeParse(value).data;
  return interaction === undefined ? { kind: 'other', name } : { kind: 'interaction', interaction };
}
