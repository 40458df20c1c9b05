import { z } from 'zod';
import { opinions } from '../../../core/conversations/conversation-values.ts';
import { deliveryStatuses } from '../../../core/conversations/message-delivery.ts';
import { sourceSchema } from '../query/source-schema.ts';

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
