import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { lenient } from '../shared/payload.ts';

/** Ids come as numbers in some places and as strings in others. */
const id = z.union([z.string().min(1), z.int().nonnegative().transform(String)]);

/** In seconds; a date of this calendar. */
const time = z.int().nonnegative().max(100_000_000_000);

const person = z.object({
  type: lenient(z.string()),
  id: lenient(id),
  name: lenient(z.string()),
  email: lenient(z.string()),
});

const attachment = z.object({
  url: z.string().min(1),
  name: lenient(z.string()),
  content_type: lenient(z.string()),
  filesize: lenient(z.int().nonnegative()),
});

const said = {
  body: lenient(z.string()),
  author: lenient(person),
  attachments: lenient(z.array(attachment)),
};

const part = z.object({
  id,
  part_type: lenient(z.string()),
  created_at: lenient(time),
  assigned_to: lenient(person),
  /** Of the quick reply that was pressed: called by either name. */
  metadata: lenient(
    z.object({ quick_reply_uuid: lenient(z.string()), quick_reply_option_uuid: lenient(z.string()) }),
  ),
  ...said,
});

const source = z.object({ type: lenient(z.string()), subject: lenient(z.string()), ...said });

const rating = z.object({
  rating: lenient(z.int()),
  remark: lenient(z.string()),
  teammate: lenient(person),
  contact: lenient(person),
});

/** Of a conversation only what we use. Before version 2.0 its beginning had another name. */
export const conversationSchema = z.object({
  id,
  created_at: lenient(time),
  admin_assignee_id: lenient(id),
  assignee: lenient(person),
  source: lenient(source),
  conversation_message: lenient(source),
  conversation_parts: lenient(z.object({ conversation_parts: z.array(z.unknown()) })),
  conversation_rating: lenient(rating),
});

export const partSchema = part;

export const notificationSchema = z.object({
  id: lenient(z.string()),
  app_id: lenient(z.string()),
  topic: z.string(),
  created_at: lenient(time),
  data: z.object({ item: conversationSchema }),
});

export type IntercomPerson = z.infer<typeof person>;
export type IntercomPart = z.infer<typeof part>;
export type IntercomSource = z.infer<typeof source>;
export type IntercomConversation = z.infer<typeof conversationSchema>;
export type IntercomNotification = z.infer<typeof notificationSchema>;

const schema = z.object({ topic: z.string().min(1) });

/** What a notification is about; null for what is none. */
export function topicOf(native: Json): string | null {
  return schema.safeParse(native).data?.topic ?? null;
}
