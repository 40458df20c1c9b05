import { z } from 'zod';
import {
  channels,
  conversationStatuses,
  opinions,
  priorities,
  slaStates,
} from '../../../core/conversations/conversation-values.ts';
import { deliveryStatuses } from '../../../core/conversations/messages.ts';
import { auditEntrySchema } from '../../schemas/audit-entry.ts';
import { boundedString, emailSchema, timeSchema, workspaceIdSchema } from '../../schemas/fields.ts';
import { pageQuerySchema } from '../../schemas/pagination.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { sourceSchema } from '../query/schema.ts';

/** The path parameters of one conversation. */
export const conversationParamsSchema = z.object({
  conversation_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('conversation_not_found')),
});

/** A tag of a conversation, trimmed. */
const tagSchema = boundedString({ min: 1, max: 64 }, z.string().trim());

/** A note to be added. */
export const noteBodySchema = z.object({
  content: z.string().trim().min(1),
  author_email: emailSchema
    .nullish()
    .meta({ description: "The agent who acts, in place of the API key's name." }),
});

/** What a visitor thinks of an answer. */
export const feedbackBodySchema = z.object({
  value: z.enum(opinions).nullable().meta({ description: 'Null takes it back, with its comment.' }),
  comment: boundedString({ max: 4_000 }, z.string().trim()).nullish().meta({
    description:
      'More, in his own words. Where it is left out, what was said of the same value before stays.',
  }),
});

/** What may be changed of a conversation; what is absent stays. */
export const conversationChangeSchema = z.object({
  status: z.enum(conversationStatuses).optional(),
  tags: z.array(tagSchema).max(50).optional().meta({ description: 'Instead of those there are.' }),
  priority: z.enum(priorities).optional(),
  internal_notes: z
    .array(noteBodySchema)
    .max(100)
    .optional()
    .meta({ description: 'To be added to those there are.' }),
  customer: z
    .object({
      email: emailSchema.nullable(),
      name: boundedString({ max: 200 }).nullable(),
      phone: boundedString({ max: 64 }).nullable(),
    })
    .partial()
    .optional()
    .meta({ description: 'Null forgets what was known.' }),
  snooze_until: timeSchema
    .nullish()
    .meta({ description: 'When a snoozed conversation opens again: required for the status snoozed.' }),
});

/** One value comes as itself, several as an array. */
const asArray = (value: unknown) => (typeof value === 'string' ? [value] : value);
/** A plus sign in an address that nobody encoded comes as a space, which no e-mail address has. */
const restorePlus = (value: unknown) => (typeof value === 'string' ? value.replaceAll(' ', '+') : value);

/** The filters of the list of conversations: those that are given must all hold. */
export const conversationListSchema = pageQuerySchema.extend({
  workspace_id: workspaceIdSchema,
  channel: z.enum(channels).optional(),
  status: z.enum(conversationStatuses).optional(),
  tag: z
    .preprocess(asArray, z.array(tagSchema).max(50))
    .optional()
    .meta({ description: 'Repeated for several: all must match.' }),
  since: timeSchema.optional().meta({ description: 'Started after.' }),
  until: timeSchema.optional().meta({ description: 'Started before.' }),
  updated_since: timeSchema.optional().meta({
    description:
      'With a message, a change, a note or feedback of that moment or later. Ask from a minute before your last request: a change can be seen shortly after its time.',
  }),
  q: boundedString({ min: 1, max: 1_000 }, z.string().trim())
    .optional()
    .meta({ description: 'Words that one message of the conversation has, in any form and order.' }),
  email: z.preprocess(restorePlus, emailSchema).optional().meta({ description: "The customer's." }),
  sla_state: z.enum(slaStates).optional(),
  feedback: z
    .enum(opinions)
    .optional()
    .meta({ description: 'What its visitor thinks of one of its answers.' }),
});

/** A remark for agents, never shown to a visitor. */
export const noteSchema = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    content: z.string(),
    author: z.string().meta({ description: "The API key's name, or the address given as author_email." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Note' });

/** What became of a message on its way to its visitor's platform. */
export const messageDeliverySchema = z
  .object({
    status: z.enum(deliveryStatuses).meta({
      description:
        'failed: a part of it was refused for good, or given up after its tries. queued: a part waits to be sent. sent, ' +
        'delivered, read: how far the least of its parts came, as far as the platform reports. withheld: none of it is ' +
        'sent, as when a person took over or the visitor asked not to be written to.',
    }),
    reason: z.string().nullable().meta({
      description: "Why it failed or is withheld, or why the last try failed, in the platform's words.",
    }),
    at: z.iso.datetime().meta({ description: 'Since when: for queued, when it was written.' }),
  })
  .meta({ id: 'MessageDelivery' });

const delivery = messageDeliverySchema
  .nullable()
  .optional()
  .meta({
    description:
      'Of assistant and agent messages: what became of it on its way to the platform. Null where nothing is sent: on the ' +
      'API channel, and in the widget and on the hosted page, which fetch messages themselves.',
  });

/** What the visitor (`user`), the engine (`assistant`) or a person (`agent`) said. */
export const messageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant', 'agent']),
    content: z.string(),
    created_at: z.iso.datetime(),
    sources: z.array(sourceSchema).optional().meta({ description: 'Of assistant messages.' }),
    tokens_used: z.int().optional().meta({ description: 'Of assistant messages.' }),
    edited_at: z.iso.datetime().optional().meta({
      description: 'Of user messages that the visitor changed on his platform: when he did so last.',
    }),
    deleted_at: z.iso.datetime().optional().meta({
      description: 'Of user messages that the visitor took back on his platform: their content is empty.',
    }),
    feedback: z
      .object({
        value: z.enum(opinions),
        comment: z.string().nullable(),
        at: z.iso.datetime(),
      })
      .nullable()
      .optional()
      .meta({
        description: 'Of assistant messages: what the visitor thinks of it; null where he did not say.',
      }),
    delivery,
    ended: z
      .enum(['cancelled', 'timed_out', 'failed'])
      .nullable()
      .optional()
      .meta({
        description:
          'Of assistant and agent messages: why it is not whole. cancelled: the client disconnected, or a person took ' +
          'over. timed_out: it took longer than 30 seconds. failed: an error ended it. Null where it is whole.',
      }),
    confidence: z.enum(['high', 'medium', 'low']).nullable().optional().meta({
      description:
        'Of assistant messages, as are score, latency_ms and skills_fired. All null where not known.',
    }),
    score: z
      .number()
      .nullable()
      .optional()
      .meta({ description: 'The calibrated score of its best passage, from 0 to 1.' }),
    latency_ms: z.int().nullable().optional(),
    skills_fired: z.array(z.string()).nullable().optional(),
    attachments: z
      .array(
        z.object({
          kind: z.enum(['image', 'audio', 'video', 'file', 'other']),
          name: z.string().nullable(),
          content_type: z.string().nullable(),
          bytes: z.int().nullable(),
        }),
      )
      .optional()
      .meta({ description: 'Of user messages that came with files: what the platform says of each.' }),
    author: z.string().nullable().optional().meta({ description: 'Of agent messages: who wrote it.' }),
  })
  .meta({ id: 'Message' });

/** A conversation as lists hold it. */
export const conversationSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    channel: z.enum(channels),
    channel_id: z.string().nullable().meta({
      description:
        'Which channel of that kind it came through; null for the API, and for a widget or page that was removed.',
    }),
    status: z.enum(conversationStatuses),
    priority: z.enum(priorities),
    started_at: z.iso.datetime(),
    last_message_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().optional().meta({ description: 'Of a resolved conversation only.' }),
    snooze_until: z.iso.datetime().nullable().meta({ description: 'When a snoozed one opens again.' }),
    message_count: z.int(),
    customer: z
      .object({
        email: z.string().nullable(),
        email_verified: z.boolean().nullable().meta({
          description:
            "True: in a verification_token, or the channel's platform vouches for it. False: only told, also beside user.hash. Null without an address.",
        }),
        name: z.string().nullable(),
        phone: z.string().nullable(),
      })
      .meta({ description: 'All null for an anonymous visitor.' }),
    tags: z.array(z.string()),
    sla_state: z.enum(slaStates),
  })
  .meta({ id: 'Conversation' });

/** A conversation with all that belongs to it. */
export const conversationViewSchema = conversationSchema
  .extend({
    messages: z.array(messageSchema),
    internal_notes: z.array(noteSchema),
    audit_log: z.array(auditEntrySchema),
    reply_window: z
      .object({
        open: z.boolean(),
        closes_at: z.iso.datetime().nullable().meta({ description: 'Null where the visitor never wrote.' }),
      })
      .nullable()
      .meta({
        description:
          'Where the platform lets nobody write long after the visitor did: until when one may. Null where that is always.',
      }),
  })
  .meta({ id: 'ConversationView', description: 'Messages, notes and changes come oldest first.' });
