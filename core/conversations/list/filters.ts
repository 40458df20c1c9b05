import { z } from 'zod';
import { conversationStatuses, opinions, priorities, slaStates } from '../../contract/conversation-values.ts';
import type { SlaPolicy } from '../../workspaces/workspace-settings.ts';

/** The views that every inbox has. */
export const inboxViews = [
  'waiting',
  'mine',
  'unread',
  'sla_at_risk',
  'snoozed',
  'low_confidence',
  'open',
  'resolved',
  'all',
] as const;

export type InboxView = (typeof inboxViews)[number];

const tag = z.string().trim().min(1).max(64);
const time = z.iso.datetime({ offset: true });

/**
 * All filters of lists of conversations, as queries, saved views and bulk actions name them. A conversation must match
 * all of them.
 */
export const conversationFiltersSchema = z.object({
  view: z.enum(inboxViews).optional(),
  status: z.array(z.enum(conversationStatuses)).max(6).optional(),
  channel: z.array(z.string().min(1).max(100)).max(20).optional(),
  assignee: z
    .string()
    .regex(/^(?:me|none|per_\w+)$/)
    .max(100)
    .optional()
    .meta({ description: 'The id of a person, or `me`, or `none`.' }),
  tag: z.array(tag).max(50).optional().meta({ description: 'A conversation must have all of them.' }),
  priority: z.array(z.enum(priorities)).max(4).optional(),
  unread: z.boolean().optional(),
  waiting: z.boolean().optional().meta({ description: 'The visitor waits for a person.' }),
  has_draft: z.boolean().optional().meta({ description: 'The caller has a draft in it.' }),
  q: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'Words that one message contains, in any form and order.' }),
  email: z.string().trim().min(1).max(320).optional().meta({ description: 'The address of the customer.' }),
  customer: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'A part of the name, address or phone number of the customer.' }),
  user_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "The integrator's id of the visitor, proven or stated." }),
  session_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The session that an API caller named.' }),
  channel_id: z.string().min(1).max(100).optional(),
  metadata: z
    .record(z.string().min(1).max(200), z.string().max(1_000))
    .refine((fields) => Object.keys(fields).length <= 3)
    .optional()
    .meta({
      description: 'At most three fields of the metadata with their exact values, which are strings.',
    }),
  since: time.optional().meta({ description: 'Started after this time.' }),
  until: time.optional().meta({ description: 'Started before this time.' }),
  updated_since: time.optional().meta({
    description: 'With a message, a change, a note or feedback at or after this time.',
  }),
  sla_state: z.enum(slaStates).optional(),
  feedback: z.enum(opinions).optional().meta({
    description: 'The rating that the visitor gave to one of the answers.',
  }),
});

export type ConversationFilters = z.output<typeof conversationFiltersSchema>;

/** The filters that the list for API keys lacks, each with the reason. It has all others. */
export const inboxOnlyFilters = {
  view: 'most views depend on the person who reads the inbox',
  assignee: 'the API does not say to whom a conversation is assigned',
  unread: 'a key has read nothing',
  has_draft: 'a key has no drafts',
} as const satisfies { readonly [Filter in keyof ConversationFilters]?: string };

/** The filters of the list for API keys. */
export type KeyFilters = Omit<ConversationFilters, keyof typeof inboxOnlyFilters>;

/** The reader of a list. */
export interface ListReader {
  readonly workspaceId: string;
  /** Null for a key and the operator, who read no conversations as a person. */
  readonly personId: string | null;
  /** Whether `q` is a search of the inbox, or words of one message, as for keys. */
  readonly isInInbox: boolean;
  /** Of a search of the inbox: what has its words, or only other forms of them. Absent: both. */
  readonly matches?: 'exact' | 'similar';
  readonly policy: SlaPolicy | undefined;
  readonly now: Date;
  /** The start of the reader's day. */
  readonly today: Date;
}
