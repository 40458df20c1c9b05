import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { optionalField } from '../shared/http.ts';

const user = z.object({
  id: z.int(),
  is_bot: optionalField(z.boolean()),
  first_name: optionalField(z.string()),
  last_name: optionalField(z.string()),
  username: optionalField(z.string()),
  language_code: optionalField(z.string()),
});

const chat = z.object({
  id: z.int(),
  type: z.string(),
  title: optionalField(z.string()),
  is_forum: optionalField(z.boolean()),
});

const entity = z.object({
  type: z.string(),
  offset: z.int().nonnegative(),
  length: z.int().nonnegative(),
  user: optionalField(user),
});

const file = z.object({
  file_id: z.string(),
  file_name: optionalField(z.string()),
  mime_type: optionalField(z.string()),
  file_size: optionalField(z.int()),
  /** In seconds. */
  duration: optionalField(z.int()),
});

const sticker = z.object({
  file_id: z.string(),
  file_size: optionalField(z.int()),
  emoji: optionalField(z.string()),
  is_animated: optionalField(z.boolean()),
  is_video: optionalField(z.boolean()),
});

const contact = z.object({
  phone_number: z.string(),
  first_name: optionalField(z.string()),
  last_name: optionalField(z.string()),
  user_id: optionalField(z.int()),
});

const repliedTo = z.object({
  message_id: z.int(),
  from: optionalField(user),
  forum_topic_created: z.unknown().optional(),
});

/** Seconds since 1970, with an upper bound that keeps it a valid Date. */
const time = z.int().nonnegative().max(100_000_000_000);

/** The used fields of a message. A missing field, or one of another type, becomes null, except `message_id` and `chat`. */
const message = z.object({
  message_id: z.int(),
  chat,
  date: optionalField(time),
  edit_date: optionalField(time),
  from: optionalField(user),
  sender_chat: optionalField(chat),
  is_automatic_forward: optionalField(z.boolean()),
  message_thread_id: optionalField(z.int()),
  is_topic_message: optionalField(z.boolean()),
  media_group_id: optionalField(z.string()),
  reply_to_message: optionalField(repliedTo),
  text: optionalField(z.string()),
  entities: optionalField(z.array(entity)),
  caption: optionalField(z.string()),
  caption_entities: optionalField(z.array(entity)),
  photo: optionalField(z.array(file)),
  voice: optionalField(file),
  audio: optionalField(file),
  video: optionalField(file),
  video_note: optionalField(file),
  animation: optionalField(file),
  document: optionalField(file),
  sticker: optionalField(sticker),
  location: optionalField(z.object({ latitude: z.number(), longitude: z.number() })),
  venue: optionalField(z.object({ title: optionalField(z.string()) })),
  contact: optionalField(contact),
  migrate_to_chat_id: optionalField(z.int()),
  migrate_from_chat_id: optionalField(z.int()),
});

const membership = z.object({
  chat,
  new_chat_member: z.object({
    status: z.string(),
    is_member: optionalField(z.boolean()),
    can_send_messages: optionalField(z.boolean()),
  }),
});

/** A press of a button below a message of the bot. A message that is no longer available has only its chat and number. */
const press = z.object({
  id: z.string(),
  from: user,
  message: optionalField(message),
  data: optionalField(z.string()),
});

export const updateSchema = z.object({
  update_id: z.int(),
  message: optionalField(message),
  edited_message: optionalField(message),
  my_chat_member: optionalField(membership),
  callback_query: optionalField(press),
});

export type TelegramUser = z.infer<typeof user>;
export type TelegramChat = z.infer<typeof chat>;
export type TelegramMessage = z.infer<typeof message>;
export type TelegramFile = z.infer<typeof file>;
export type TelegramSticker = z.infer<typeof sticker>;
export type TelegramPress = z.infer<typeof press>;
export type TelegramMembership = z.infer<typeof membership>;

/** The update types that Telegram is asked to send. */
export const allowedUpdates = ['message', 'edited_message', 'my_chat_member', 'callback_query'] as const;

const objectSchema = z.record(z.string(), z.unknown());

/** The fields that any message may have. The first other field names the kind of the message. */
const commonFields =
  /^(message_id|message_thread_id|from|sender_.*|chat|date|edit_date|is_.*|has_.*|reply_to_.*|via_bot)$/;

/** Returns the type for the log: `message_reaction`, `channel_post.text`, `message.pinned_message`. */
export function nativeTypeName(native: Json): string {
  const update = objectSchema.safeParse(native).data ?? {};
  const type = Object.keys(update).find((key) => key !== 'update_id');
  if (type === undefined) return 'nothing';
  const content = objectSchema.safeParse(update[type]).data ?? {};
  const kind = type.endsWith('message') && Object.keys(content).find((key) => !commonFields.test(key));
  return kind ? `${type}.${kind}` : type;
}
