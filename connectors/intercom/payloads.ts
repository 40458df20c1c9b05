import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import { optionalField } from '../shared/http.ts';

/** Intercom sends ids as numbers in some places and as strings in others. */
const id = z.union([z.string().min(1), z.int().nonnegative().transform(String)]);

/** Seconds since 1970, with an upper bound that keeps it a valid Date. */
const time = z.int().nonnegative().max(100_000_000_000);

const person = z.object({
  type: optionalField(z.string()),
  id: optionalField(id),
  name: optionalField(z.string()),
  email: optionalField(z.string()),
});

const attachment = z.object({
  url: z.string().min(1),
  name: optionalField(z.string()),
  content_type: optionalField(z.string()),
  filesize: optionalField(z.int().nonnegative()),
});

const messageFields = {
  body: optionalField(z.string()),
  author: optionalField(person),
  attachments: optionalField(z.array(attachment)),
};

const part = z.object({
  id,
  part_type: optionalField(z.string()),
  created_at: optionalField(time),
  assigned_to: optionalField(person),
  /** The pressed quick reply, under either field name. */
  metadata: optionalField(
    z.object({
      quick_reply_uuid: optionalField(z.string()),
      quick_reply_option_uuid: optionalField(z.string()),
    }),
  ),
  ...messageFields,
});

const source = z.object({
  type: optionalField(z.string()),
  subject: optionalField(z.string()),
  ...messageFields,
});

const rating = z.object({
  rating: optionalField(z.int()),
  remark: optionalField(z.string()),
  teammate: optionalField(person),
  contact: optionalField(person),
});

/** The used fields of a conversation. Before version 2.0, `source` was `conversation_message`. */
export const conversationSchema = z.object({
  id,
  created_at: optionalField(time),
  admin_assignee_id: optionalField(id),
  assignee: optionalField(person),
  source: optionalField(source),
  conversation_message: optionalField(source),
  conversation_parts: optionalField(z.object({ conversation_parts: z.array(z.unknown()) })),
  conversation_rating: optionalField(rating),
});

export const partSchema = part;

export const notificationSchema = z.object({
  id: optionalField(z.string()),
  app_id: optionalField(z.string()),
  topic: z.string(),
  created_at: optionalField(time),
  data: z.object({ item: conversationSchema }),
});

export type IntercomPerson = z.infer<typeof person>;
export type IntercomPart = z.infer<typeof part>;
export type IntercomSource = z.infer<typeof source>;
export type IntercomConversation = z.infer<typeof conversationSchema>;
export type IntercomNotification = z.infer<typeof notificationSchema>;

const topicSchema = z.object({ topic: z.string().min(1) });

/** Returns the topic of a notification; null if the value is not a notification. */
export function notificationTopic(native: Json): string | null {
  return topicSchema.safeParse(native).data?.topic ?? null;
}
