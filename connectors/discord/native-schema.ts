import { z } from 'zod';
import { lenient } from '../shared/lenient.ts';
import { snowflake } from './snowflake.ts';

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
