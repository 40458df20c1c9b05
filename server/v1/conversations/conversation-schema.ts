import { z } from 'zod';
import {
  channels,
  conversationStatuses,
  priorities,
  slaStates,
} from '../../../core/conversations/conversation-values.ts';

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
