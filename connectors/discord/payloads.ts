import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { lenient } from '../shared/payload.ts';

/** An id of Discord's, unique over all kinds of things. It tells when it was made, and has more bits than a number. */
export const snowflake = z.string().regex(/^\d{15,20}$/, 'An id of Discord is a number of 15 to 20 digits.');

const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

export function timeOf(id: string): Date {
  return new Date(Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS);
}

/** The first id that can have been made then. */
export function firstIdAt(time: Date): string {
  return String(BigInt(Math.max(0, time.getTime() - EPOCH_MS)) << TIME_SHIFT);
}

/** Discord's own numbers. Text and announcements: what a thread can be made in. */
export const TEXT_CHANNELS: readonly number[] = [0, 5];
/** Of announcements, public and private: a post of a forum is one of these. */
export const THREADS: readonly number[] = [10, 11, 12];

/** Of messages that people write: plain ones and replies. All else tells what happened. */
export const PLAIN = 0;
export const REPLY = 19;

/** Of interactions: a command, and something that was pressed. */
export const COMMAND = 2;
export const COMPONENT = 3;

const user = z.object({
  id: snowflake,
  bot: lenient(z.boolean()),
  username: lenient(z.string()),
  global_name: lenient(z.string()),
});

const time = z.iso.datetime({ offset: true });

const attachment = z.object({
  id: snowflake,
  filename: lenient(z.string()),
  content_type: lenient(z.string()),
  size: lenient(z.int().nonnegative()),
  url: z.string(),
});

/** What a message passes on of another one. */
const snapshot = z.object({
  message: z.object({ content: lenient(z.string()), attachments: lenient(z.array(attachment)) }),
});

/** Of a message only what we use; everything but where it is may be missing or different. */
export const messageSchema = z.object({
  id: snowflake,
  channel_id: snowflake,
  guild_id: lenient(snowflake),
  channel_type: lenient(z.int()),
  type: lenient(z.int()),
  author: lenient(user),
  webhook_id: lenient(snowflake),
  content: lenient(z.string()),
  timestamp: lenient(time),
  edited_timestamp: lenient(time),
  mentions: lenient(z.array(user)),
  mention_roles: lenient(z.array(snowflake)),
  attachments: lenient(z.array(attachment)),
  sticker_items: lenient(
    z.array(z.object({ id: snowflake, name: lenient(z.string()), format_type: lenient(z.int()) })),
  ),
  message_snapshots: lenient(z.array(snapshot)),
  referenced_message: lenient(z.object({ author: lenient(user) })),
});

export const interactionSchema = z.object({
  id: snowflake,
  type: z.int(),
  token: z.string(),
  guild_id: lenient(snowflake),
  channel_id: lenient(snowflake),
  channel: lenient(z.object({ id: snowflake, type: lenient(z.int()) })),
  member: lenient(z.object({ user })),
  user: lenient(user),
  locale: lenient(z.string()),
  message: lenient(z.object({ id: snowflake, flags: lenient(z.int()) })),
  data: lenient(
    z.object({
      name: lenient(z.string()),
      custom_id: lenient(z.string()),
      options: lenient(z.array(z.object({ name: z.string(), value: lenient(z.string()) }))),
    }),
  ),
});

/** An event of the gateway, with what we knew when it came and it does not tell. */
export const dispatchSchema = z.object({
  t: z.string(),
  d: z.unknown().optional(),
  /** The kind of its channel. */
  channelType: lenient(z.int()),
  /** Of the post of a forum that it begins. */
  title: lenient(z.string()),
  /** The role that Discord made for our bot: who names it names us. */
  role: lenient(snowflake),
  /** No thread can be made in its channel. */
  threadless: lenient(z.boolean()),
  /** The address of the conversation that it belongs to. */
  at: z.unknown().optional(),
});

export type DiscordUser = z.infer<typeof user>;
export type DiscordMessage = z.infer<typeof messageSchema>;
export type DiscordInteraction = z.infer<typeof interactionSchema>;
export type Dispatch = z.infer<typeof dispatchSchema>;

/** What a stored event is: from the gateway with its name, or an interaction as it was posted. */
export type Read =
  | {
      readonly kind: 'message' | 'edit' | 'deletion';
      readonly message: DiscordMessage;
      readonly dispatch: Dispatch;
    }
  | { readonly kind: 'interaction'; readonly interaction: DiscordInteraction }
  | { readonly kind: 'other'; readonly name: string };

const kinds: Readonly<Record<string, 'message' | 'edit' | 'deletion'>> = {
  MESSAGE_CREATE: 'message',
  MESSAGE_UPDATE: 'edit',
  MESSAGE_DELETE: 'deletion',
};

export function readNative(native: Json): Read {
  const dispatch = dispatchSchema.safeParse(native).data;
  if (dispatch === undefined) return readInteraction(native, 'an interaction');
  if (dispatch.t === 'INTERACTION_CREATE') return readInteraction(dispatch.d, dispatch.t);
  const kind = kinds[dispatch.t];
  const message = messageSchema.safeParse(dispatch.d).data;
  if (kind === undefined || message === undefined) return { kind: 'other', name: dispatch.t || 'nothing' };
  return { kind, message, dispatch };
}

function readInteraction(value: unknown, name: string): Read {
  const interaction = interactionSchema.safeParse(value).data;
  return interaction === undefined ? { kind: 'other', name } : { kind: 'interaction', interaction };
}
