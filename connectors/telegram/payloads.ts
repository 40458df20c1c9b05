import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { lenient } from '../shared/payload.ts';

const user = z.object({
  id: z.int(),
  is_bot: lenient(z.boolean()),
  first_name: lenient(z.string()),
  last_name: lenient(z.string()),
  username: lenient(z.string()),
  language_code: lenient(z.string()),
});

const chat = z.object({
  id: z.int(),
  type: z.string(),
  title: lenient(z.string()),
  is_forum: lenient(z.boolean()),
});

const entity = z.object({
  type: z.string(),
  offset: z.int().nonnegative(),
  length: z.int().nonnegative(),
  user: lenient(user),
});

const file = z.object({
  file_id: z.string(),
  file_name: lenient(z.string()),
  mime_type: lenient(z.string()),
  file_size: lenient(z.int()),
});

const sticker = z.object({
  file_id: z.string(),
  file_size: lenient(z.int()),
  emoji: lenient(z.string()),
  is_animated: lenient(z.boolean()),
  is_video: lenient(z.boolean()),
});

const contact = z.object({
  phone_number: z.string(),
  first_name: lenient(z.string()),
  last_name: lenient(z.string()),
  user_id: lenient(z.int()),
});

const repliedTo = z.object({
  message_id: z.int(),
  from: lenient(user),
  forum_topic_created: z.unknown().optional(),
});

/** In seconds; a date of this calendar. */
const time = z.int().nonnegative().max(100_000_000_000);

/** Of a message only what we use; everything but where it is may be missing or different. */
const message = z.object({
  message_id: z.int(),
  chat,
  date: lenient(time),
  edit_date: lenient(time),
  from: lenient(user),
  sender_chat: lenient(chat),
  is_automatic_forward: lenient(z.boolean()),
  message_thread_id: lenient(z.int()),
  is_topic_message: lenient(z.boolean()),
  media_group_id: lenient(z.string()),
  reply_to_message: lenient(repliedTo),
  text: lenient(z.string()),
  entities: lenient(z.array(entity)),
  caption: lenient(z.string()),
  caption_entities: lenient(z.array(entity)),
  photo: lenient(z.array(file)),
  voice: lenient(file),
  audio: lenient(file),
  video: lenient(file),
  video_note: lenient(file),
  animation: lenient(file),
  document: lenient(file),
  sticker: lenient(sticker),
  location: lenient(z.object({ latitude: z.number(), longitude: z.number() })),
  venue: lenient(z.object({ title: lenient(z.string()) })),
  contact: lenient(contact),
  migrate_to_chat_id: lenient(z.int()),
  migrate_from_chat_id: lenient(z.int()),
});

const membership = z.object({
  chat,
  new_chat_member: z.object({
    status: z.string(),
    is_member: lenient(z.boolean()),
    can_send_messages: lenient(z.boolean()),
  }),
});

/** A button under a message of ours. What the message was is not told where it is gone. */
const press = z.object({
  id: z.string(),
  from: user,
  message: lenient(message),
  data: lenient(z.string()),
});

export const updateSchema = z.object({
  update_id: z.int(),
  message: lenient(message),
  edited_message: lenient(message),
  my_chat_member: lenient(membership),
  callback_query: lenient(press),
});

export type TelegramUser = z.infer<typeof user>;
export type TelegramChat = z.infer<typeof chat>;
export type TelegramMessage = z.infer<typeof message>;
export type TelegramFile = z.infer<typeof file>;
export type TelegramSticker = z.infer<typeof sticker>;
export type TelegramPress = z.infer<typeof press>;
export type TelegramMembership = z.infer<typeof membership>;

/** What Telegram tells us of; of everything else it tells nobody. */
export const allowedUpdates = ['message', 'edited_message', 'my_chat_member', 'callback_query'] as const;

const anything = z.record(z.string(), z.unknown());

/** What every message has: its kind is what it has besides. */
const usual =
  /^(message_id|message_thread_id|from|sender_.*|chat|date|edit_date|is_.*|has_.*|reply_to_.*|via_bot)$/;

/** For the log: `message_reaction`, `channel_post.text`, `message.pinned_message`. */
export function nativeTypeOf(native: Json): string {
  const update = anything.safeParse(native).data ?? {};
  const type = Object.keys(update).find((key) => key !== 'update_id');
  if (type === undefined) return 'nothing';
  const content = anything.safeParse(update[type]).data ?? {};
  const kind = type.endsWith('message') && Object.keys(content).find((key) => !usual.test(key));
  return kind ? `${type}.${kind}` : type;
}
