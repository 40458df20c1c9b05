import { z } from 'zod';
import {
  conversationStatuses,
  opinions,
  priorities,
  slaStates,
} from '../../../core/contract/conversation-values.ts';
import { conversationFiltersSchema } from '../../../core/conversations/list/filters.ts';
import { deliveryStatuses } from '../../../core/conversations/messages/messages.ts';
import { auditEntrySchema } from '../../schemas/audit-entry.ts';
import {
  boundedString,
  conversationChannelSchema,
  emailSchema,
  queryFlagSchema,
  timeSchema,
  workspaceIdSchema,
} from '../../schemas/fields.ts';
import { pageQuerySchema } from '../../schemas/pagination.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { citationSchema, groundsSchema, sourceSchema } from '../query/schema.ts';

const grounds = groundsSchema.shape;

/** The path parameters of one conversation. */
export const conversationParamsSchema = z.object({
  conversation_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('conversation_not_found')),
});

/** A tag of a conversation, trimmed. */
const tagSchema = boundedString({ min: 1, max: 64 }, z.string().trim());

export const noteBodySchema = z.object({
  content: z.string().trim().min(1),
  author_email: emailSchema.nullish().meta({
    description: 'The email address of the acting agent. Replaces the name of the API key as the author.',
  }),
});

/** A visitor's rating of an answer. */
export const feedbackBodySchema = z.object({
  value: z.enum(opinions).nullable().meta({ description: 'Null removes the rating and its comment.' }),
  comment: boundedString({ max: 4_000 }, z.string().trim()).nullish().meta({
    description:
      "A comment in the visitor's own words. If it is left out, an earlier comment on the same value is kept.",
  }),
});

/** The fields of a conversation that can be changed. An absent field keeps its value. */
export const conversationChangeSchema = z.object({
  status: z.enum(conversationStatuses).optional(),
  tags: z.array(tagSchema).max(50).optional().meta({ description: 'Replaces all existing tags.' }),
  priority: z.enum(priorities).optional(),
  internal_notes: z
    .array(noteBodySchema)
    .max(100)
    .optional()
    .meta({ description: 'Appended to the existing notes.' }),
  customer: z
    .object({
      email: emailSchema.nullable(),
      name: boundedString({ max: 200 }).nullable(),
      phone: boundedString({ max: 64 }).nullable(),
    })
    .partial()
    .optional()
    .meta({ description: 'Contact details of the customer. Null deletes a value.' }),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Fields to set. Null removes a field, and others keep their values.' }),
  snooze_until: timeSchema
    .nullish()
    .meta({ description: 'When a snoozed conversation opens again. Required if status is snoozed.' }),
});

const { shape } = conversationFiltersSchema;
/** Fastify parses a single value as a string, several as an array. */
const asArray = (value: unknown) => (typeof value === 'string' ? [value] : value);
/** A plus sign that the client did not URL-encode arrives as a space, which no email address contains. */
const restorePlus = (value: unknown) => (typeof value === 'string' ? value.replaceAll(' ', '+') : value);

/** The filters of the list of conversations. A conversation must match all given ones. */
export const conversationListSchema = pageQuerySchema.extend({
  workspace_id: workspaceIdSchema,
  channel: conversationChannelSchema.optional(),
  status: z.enum(conversationStatuses).optional(),
  tag: z
    .preprocess(asArray, z.array(tagSchema).max(50))
    .optional()
    .meta({ description: 'Repeat the parameter for several tags: a conversation must have all of them.' }),
  since: timeSchema.optional().meta({ description: 'Returns conversations that started after this time.' }),
  until: timeSchema.optional().meta({ description: 'Returns conversations that started before this time.' }),
  updated_since: timeSchema.optional().meta({
    description:
      'Returns conversations with a message, a change, a note or feedback at or after this time. When you poll, start one minute before your last request: a change can become visible shortly after its timestamp.',
  }),
  q: boundedString({ min: 1, max: 1_000 }, z.string().trim())
    .optional()
    .meta({ description: 'Words that one message of the conversation contains, in any form and order.' }),
  email: z
    .preprocess(restorePlus, emailSchema)
    .optional()
    .meta({ description: 'The email address of the customer.' }),
  user_id: boundedString({ min: 1, max: 200 }).optional().meta({ description: shape.user_id.description }),
  session_id: boundedString({ min: 1, max: 200 }).optional().meta({
    description: shape.session_id.description,
  }),
  channel_id: shape.channel_id,
  metadata: shape.metadata,
  customer: boundedString({ min: 1, max: 200 }, z.string().trim())
    .optional()
    .meta({ description: 'A part of the name, address or phone number of the customer.' }),
  priority: z.enum(priorities).optional(),
  waiting: queryFlagSchema.optional().meta({ description: 'Whether the visitor waits for a person.' }),
  sla_state: z.enum(slaStates).optional(),
  feedback: z
    .enum(opinions)
    .optional()
    .meta({ description: 'The rating that the visitor gave to one of the answers.' }),
});

/** A note for agents, never shown to a visitor. */
export const noteSchema = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    content: z.string(),
    author: z.string().meta({ description: 'The name of the API key, or the author_email that was given.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Note' });

/** The state of a message's delivery to the visitor's platform. */
export const messageDeliverySchema = z
  .object({
    status: z.enum(deliveryStatuses).meta({
      description:
        'failed: the platform rejected a part permanently, or all attempts failed. queued: a part waits to be sent. sent, ' +
        'delivered, read: the state of the part that is furthest behind, as far as the platform reports it. withheld: no part is ' +
        'sent, for example because an agent took over or the visitor opted out.',
    }),
    reason: z.string().nullable().meta({
      description:
        "Why the message failed or is withheld, or why the last attempt failed, in the platform's words.",
    }),
    at: z.iso
      .datetime()
      .meta({ description: 'When the message entered this state. For queued, when it was written.' }),
  })
  .meta({ id: 'MessageDelivery' });

const delivery = messageDeliverySchema
  .nullable()
  .optional()
  .meta({
    description:
      'The delivery of assistant and agent messages to the platform. Null on channels without delivery: the ' +
      'API channel, the widget and the hosted page, which fetch messages themselves.',
  });

/** A file of a message. */
export const attachmentSchema = z.object({
  kind: z.enum(['image', 'audio', 'video', 'file', 'other']),
  name: z.string().nullable(),
  content_type: z.string().nullable(),
  bytes: z.int().nullable(),
  url: z.string().optional().meta({ description: 'Files of agents only: a link that needs no credential.' }),
  transcript: z.string().optional().meta({
    description: 'The words of a recording, as a model heard them. They are part of `content`.',
  }),
  description: z.string().optional().meta({ description: 'What a picture shows, as a model saw it.' }),
});

/** A message of the visitor (`user`), the engine (`assistant`) or an agent (`agent`). */
export const messageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant', 'agent']),
    content: z.string(),
    created_at: z.iso.datetime(),
    sources: z.array(sourceSchema).optional().meta({ description: 'Assistant messages only.' }),
    citations: z
      .array(citationSchema)
      .optional()
      .meta({ description: 'Assistant messages only: which sentence rests on which passage.' }),
    tokens_used: z.int().optional().meta({ description: 'Assistant messages only.' }),
    edited_at: z.iso.datetime().optional().meta({
      description: 'User messages only: when the visitor last edited the message on the platform.',
    }),
    deleted_at: z.iso.datetime().optional().meta({
      description:
        'User messages only: when the visitor deleted the message on the platform. Its content is empty.',
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
        description: "Assistant messages only: the visitor's rating. Null if there is none.",
      }),
    delivery,
    ended: z
      .enum(['cancelled', 'timed_out', 'failed'])
      .nullable()
      .optional()
      .meta({
        description:
          'Assistant and agent messages only: why the message is incomplete. cancelled: the client disconnected, or an agent took ' +
          'over. timed_out: it took longer than 30 seconds. failed: an error ended it. Null if it is complete.',
      }),
    confidence: z.enum(['high', 'medium', 'low']).nullable().optional().meta({
      description: 'Assistant messages only, like the fields from score to lead. Each is null if unknown.',
    }),
    score: z
      .number()
      .nullable()
      .optional()
      .meta({ description: 'The calibrated score of the best passage, from 0 to 1.' }),
    latency_ms: z.int().nullable().optional(),
    skills_fired: z.array(z.string()).nullable().optional(),
    tier: grounds.tier.nullable().optional(),
    probability: grounds.probability.optional(),
    ai_generated: grounds.ai_generated.nullable().optional(),
    quoted: grounds.quoted.nullable().optional(),
    lead: grounds.lead.optional(),
    disclosure: z.string().nullable().optional().meta({
      description:
        'Assistant messages only: the sentence that a machine answers, which went out before the content. Null if none did.',
    }),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'User messages only: what the request sent with it.' }),
    attachments: z
      .array(attachmentSchema)
      .optional()
      .meta({ description: 'User and agent messages with files only: the description of each file.' }),
    author: z.string().nullable().optional().meta({ description: 'Agent messages only: the author.' }),
  })
  .meta({ id: 'Message' });

/** A conversation as it appears in lists. */
export const conversationSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    test: z.boolean().meta({ description: 'Whether test keys alone see it.' }),
    channel: conversationChannelSchema,
    channel_id: z.string().nullable().meta({
      description:
        'The channel that the conversation came through. Null for the API, and if the widget or page was removed.',
    }),
    status: z.enum(conversationStatuses),
    priority: z.enum(priorities),
    started_at: z.iso.datetime(),
    last_message_at: z.iso.datetime(),
    resolved_at: z.iso.datetime().optional().meta({ description: 'Resolved conversations only.' }),
    snooze_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When a snoozed conversation opens again.' }),
    message_count: z.int(),
    customer: z
      .object({
        email: z.string().nullable(),
        email_verified: z.boolean().nullable().meta({
          description:
            "True if the address comes from a verification_token or the channel's platform confirms it. False if it is only claimed, also with user.hash. Null if there is no address.",
        }),
        name: z.string().nullable(),
        phone: z.string().nullable(),
      })
      .meta({ description: 'All fields are null for an anonymous visitor.' }),
    user_id: z.string().nullable().meta({ description: "The integrator's id of the visitor." }),
    user_verified: z.boolean().meta({
      description:
        'Whether user_id was proven with user.hash or a verification_token. False if it is only stated.',
    }),
    session_id: z.string().nullable().meta({ description: 'The API channel only.' }),
    metadata: z.record(z.string(), z.unknown()).nullable().meta({
      description: "The metadata of the visitor's messages, merged: later values count. At most 16 KB.",
    }),
    tags: z.array(z.string()),
    sla_state: z.enum(slaStates),
  })
  .meta({ id: 'Conversation' });

/** A conversation with its messages, notes and changes. */
export const conversationViewSchema = conversationSchema
  .extend({
    messages: z.array(messageSchema),
    internal_notes: z.array(noteSchema),
    audit_log: z.array(auditEntrySchema),
    reply_window: z
      .object({
        open: z.boolean(),
        closes_at: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'Null if the visitor has never written.' }),
      })
      .nullable()
      .meta({
        description:
          "The platform's reply window, after which no reply is possible until the visitor writes again. Null if the platform has none.",
      }),
  })
  .meta({
    id: 'ConversationView',
    description: 'Messages, notes and changes are sorted with the oldest first.',
  });
