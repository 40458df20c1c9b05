import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { optionalField } from '../shared/payload.ts';

/** An id of Discord's, unique over all kinds of things. It tells when it was made, and has more bits than a number. */
export const snowflake = z.string().regex(/^\d{15,20}$/, 'An id of Discord is a number of 15 to 20 digits.');

const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

export function snowflakeTime(id: string): Date {
  return new Date(Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS);
}

/** The first id that can have been made then. */
export function firstSnowflakeAt(time: Date): string {
  return String(BigInt(Math.max(0, time.getTime() - EPOCH_MS)) << TIME_SHIFT);
}

/** Discord's own numbers. Text and announcements: what a thread can be made in. */
export const TEXT_CHANNELS: readonly number[] = [0, 5];
/** Of announcements, public and private: a post of a forum is one of these. */
export const THREAD_CHANNELS: readonly number[] = [10, 11, 12];

/** Of messages that people write: plain ones and replies. All else tells what happened. */
export const DEFAULT_MESSAGE = 0;
export const REPLY_MESSAGE = 19;

/** Of interactions: a command, and something that was pressed. */
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
  url: z.string(),
});

/** What a message passes on of another one. */
const snapshot = z.object({
  message: z.object({ content: optionalField(z.string()), attachments: optionalField(z.array(attachment)) }),
});

/** Of a message only what we use; everything but where it is may be missing or different. */
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

/** An event of the gateway, with what we knew when it came and it does not tell. */
export const dispatchSchema = z.object({
  t: z.string(),
  d: z.unknown().optional(),
  /** The kind of its channel. */
  channelType: optionalField(z.int()),
  /** Of the post of a forum that it begins. */
  title: optionalField(z.string()),
  /** The role that Discord made for our bot: who names it names us. */
  role: optionalField(snowflake),
  /** No thread can be made in its channel. */
  threadless: optionalField(z.boolean()),
  /** The address of the conversation that it belongs to. */
  at: z.unknown().optional(),
});

export type DiscordUser = z.infer<typeof user>;
export type DiscordMessage = z.infer<typeof messageSchema>;
export type DiscordInteraction = z.infer<typeof interactionSchema>;
export type Dispatch = z.infer<typeof dispatchSchema>;

/** What a stored event is: from the gateway with its name, or an interaction as it was posted. */
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
