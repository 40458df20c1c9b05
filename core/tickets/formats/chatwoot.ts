import { z } from 'zod';
import { type ExportedMessage, toTicket } from './conversation.ts';
import { readOwnWords } from './own-words.ts';
import type { Omission, Ticket } from './ticket.ts';
import { idSchema, listOf, timeSchema } from './values.ts';

const messageSchema = z.object({
  content: z.string().nullish(),
  /** 0 or `incoming`, 1 or `outgoing`; others are of a machine. */
  message_type: z.union([z.number(), z.string()]).nullish(),
  content_type: z.string().nullish(),
  private: z.boolean().nullish(),
  created_at: timeSchema,
  sender: z.object({ type: z.string().nullish(), name: z.string().nullish() }).nullish(),
  sender_type: z.string().nullish(),
  content_attributes: z
    .object({
      email: z.object({ subject: z.string().nullish() }).nullish(),
      submitted_values: z
        .object({ csat_survey_response: z.object({ rating: z.number() }).nullish() })
        .nullish()
        .catch(null),
      automation_rule_id: z.number().nullish(),
    })
    .nullish()
    .catch(null),
});

const conversationSchema = z.object({
  id: idSchema,
  messages: listOf(messageSchema),
  labels: listOf(z.string()),
  meta: z.object({ sender: z.object({ name: z.string().nullish() }).nullish() }).nullish(),
  additional_attributes: z
    .object({ browser_language: z.string().nullish(), mail_subject: z.string().nullish() })
    .nullish()
    .catch(null),
});

/** Whether a record looks like a conversation of this format. */
export function isChatwootConversation(record: unknown): boolean {
  return z.object({ messages: z.array(z.unknown()) }).safeParse(record).success;
}

/** Reads a conversation with its messages. */
export function readChatwootConversation(record: unknown): Ticket | Omission {
  const { data: conversation } = conversationSchema.safeParse(record);
  if (conversation === undefined) return 'unreadable';
  const messages = conversation.messages.toSorted(
    (one, other) => (one.created_at?.getTime() ?? 0) - (other.created_at?.getTime() ?? 0),
  );
  const subjects = messages.flatMap((message) => message.content_attributes?.email?.subject ?? []);
  const ratings = messages.flatMap(
    (message) => message.content_attributes?.submitted_values?.csat_survey_response?.rating ?? [],
  );
  return toTicket({
    id: conversation.id,
    subject: conversation.additional_attributes?.mail_subject ?? subjects[0] ?? '',
    messages: messages.map(
      (message): ExportedMessage => ({
        by: sideOf(message),
        at: message.created_at,
        text: readOwnWords(message.content ?? ''),
      }),
    ),
    language: /^[a-z]{2}/u.exec(conversation.additional_attributes?.browser_language ?? '')?.[0] ?? null,
    tags: conversation.labels,
    rating: ratings.find((rating) => rating >= 1 && rating <= 5) ?? null,
    names: [conversation.meta?.sender, ...messages.map(({ sender }) => sender)].flatMap(
      (person) => person?.name ?? [],
    ),
  });
}

function sideOf(message: z.output<typeof messageSchema>): ExportedMessage['by'] {
  const { message_type: type, sender, sender_type: senderType, content_attributes: attributes } = message;
  const isMachine =
    message.private === true ||
    message.content_type === 'input_csat' ||
    attributes?.automation_rule_id != null ||
    /bot/iu.test(sender?.type ?? senderType ?? '');
  if (isMachine) return 'system';
  if (type === 0 || type === 'incoming') return 'customer';
  return type === 1 || type === 'outgoing' ? 'agent' : 'system';
}
