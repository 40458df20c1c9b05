import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import type { ReplyWindow } from '../../../core/channels/outbound/reply-window.ts';
import { conversationStatuses, priorities, slaStates } from '../../../core/contract/conversation-values.ts';
import type { ListReader } from '../../../core/conversations/list/filters.ts';
import type { InboxActor } from '../../../core/inbox/desk.ts';
import type { InboxRow } from '../../../core/inbox/list.ts';
import type { InboxConversation, TimelineEntry, TimelineNote } from '../../../core/inbox/read.ts';
import { requestActor } from '../../plugins/operator-access.ts';
import { auditEntrySchema, presentAuditEntry } from '../../schemas/audit-entry.ts';
import { draftSchema, presentDraft } from '../../schemas/draft.ts';
import { boundedString, conversationChannelSchema, timeSchema } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { presentConversation, presentMessage } from '../../v1/conversations/present.ts';
import {
  conversationSchema,
  conversationViewSchema,
  messageSchema,
  noteSchema,
} from '../../v1/conversations/schema.ts';
import { requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

export const conversationParamsSchema = workspaceParamsSchema.extend({
  conv_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('conversation_not_found')),
});

export const replyFileIdsSchema = z
  .array(z.string().max(100))
  .max(20)
  .default([])
  .meta({ description: 'Ids of files that the caller uploaded in this conversation, at most 5.' });

const tagSchema = boundedString({ min: 1, max: 64 }, z.string().trim());

/** A change of a conversation by an agent, besides that of its customer. */
export const handlingChangeSchema = z
  .object({
    status: z.enum(conversationStatuses),
    assignee_id: z.string().max(100).nullable().meta({ description: 'Null returns it to the queue.' }),
    tags: z.array(tagSchema).max(50).meta({ description: 'Replaces all existing tags.' }),
    priority: z.enum(priorities),
    snooze_until: timeSchema.nullable(),
  })
  .partial();

/** Throws `missing_field` if the status `snoozed` comes without a time. */
export function toHandlingChange({
  status,
  assignee_id: assigneeId,
  tags,
  priority,
  snooze_until: until,
}: z.output<typeof handlingChangeSchema>) {
  const snoozeUntil = until ?? undefined;
  if (status === 'snoozed' && snoozeUntil === undefined) {
    throw new AppError('missing_field', { detail: 'snooze_until is required if status is snoozed.' });
  }
  return { status, assigneeId, tags, priority, snoozeUntil };
}

const time = z.iso.datetime();

const personReferenceSchema = z.object({ id: z.string(), name: z.string() });

/** A conversation in a list of the inbox. */
export const inboxRowSchema = z
  .object({
    id: z.string(),
    channel: conversationChannelSchema,
    channel_id: z.string().nullable(),
    status: z.enum(conversationStatuses),
    priority: z.enum(priorities),
    handle: z.string().nullable().meta({
      description: "The customer's name, address or number. Null for an anonymous visitor.",
    }),
    customer: z.object({
      name: z.string().nullable(),
      email: z.string().nullable(),
      email_verified: z.boolean().nullable().meta({
        description: 'False: the address is only what the visitor said. Null: there is none.',
      }),
      phone: z.string().nullable(),
    }),
    tags: z.array(z.string()),
    assignee: personReferenceSchema.nullable(),
    started_at: time,
    last_message_at: time,
    snooze_until: time.nullable(),
    waiting_since: time.nullable().meta({ description: 'Since when the visitor waits for a person.' }),
    sla_state: z.enum(slaStates),
    sla_due_at: time.nullable().meta({ description: 'When the next target is missed.' }),
    message_count: z.int(),
    unread: z.int().meta({
      description:
        'Messages of the visitor that the caller has not seen, 99 at most. 0 if neither a person was asked for nor anybody is assigned.',
    }),
    has_draft: z.boolean(),
    last_line: z
      .object({
        role: z.enum(['user', 'assistant', 'agent']),
        text: z.string().meta({ description: 'At most 200 characters, without Markdown.' }),
        author: z.string().nullable().meta({ description: 'The name of the agent who wrote it.' }),
        author_id: z.string().nullable(),
        at: time,
      })
      .nullable(),
    visitor_words: z.string().nullable().meta({
      description: 'What a visitor who waits asked last, without courtesies and the wish for a person.',
    }),
    found: z.string().nullable().meta({
      description: 'With q: what stands around its words in the message or note that has most of them.',
    }),
  })
  .meta({ id: 'InboxRow' });

const iso = (at: Date | null) => at?.toISOString() ?? null;

function presentLine(line: InboxRow['lastLine']) {
  if (line === null) return null;
  const { role, text, author, authorId, at } = line;
  return { role, text, author, author_id: authorId, at: at.toISOString() };
}

export function presentRow(row: InboxRow): z.output<typeof inboxRowSchema> {
  return {
    id: row.id,
    channel: row.channel,
    channel_id: row.channelId,
    status: row.status,
    priority: row.priority,
    handle: row.handle,
    customer: presentCustomer(row.customer),
    tags: [...row.tags],
    assignee: row.assignee,
    started_at: row.startedAt.toISOString(),
    last_message_at: row.lastMessageAt.toISOString(),
    snooze_until: iso(row.snoozeUntil),
    waiting_since: iso(row.waitingSince),
    sla_state: row.slaState,
    sla_due_at: iso(row.slaDueAt),
    message_count: row.messageCount,
    unread: row.unread,
    has_draft: row.hasDraft,
    last_line: presentLine(row.lastLine),
    visitor_words: row.visitorWords,
    found: row.found,
  };
}

function presentCustomer({ emailVerified, ...customer }: InboxRow['customer']) {
  return { ...customer, email_verified: emailVerified };
}

const clockSchema = z.object({ since: time, due_at: time, state: z.enum(slaStates) }).nullable();

const ratingSchema = z
  .object({
    score: z.int().nullable().meta({ description: '1 to 5. Null while the visitor has not answered.' }),
    comment: z.string().nullable(),
    asked_at: time.meta({ description: 'When the conversation was resolved.' }),
    rated_at: time.nullable(),
    resolved_by: z.string().nullable().meta({ description: 'The name of the person who resolved it.' }),
  })
  .meta({ id: 'ConversationRating' });

/** A conversation as an agent opens it. */
export const inboxConversationSchema = conversationSchema
  .extend({
    handle: z.string().nullable(),
    summary: z.string().nullable(),
    assignee: personReferenceSchema.nullable(),
    assigned_at: time.nullable(),
    waiting_since: time.nullable(),
    sla: z.object({ first_response: clockSchema, resolution: clockSchema }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "Of the visitor's last message that has any, such as the page they were on." }),
    seen_position: z.int().nullable().meta({ description: 'The last message that the caller has seen.' }),
    drafts: z.array(draftSchema).meta({
      description: 'Those of the caller: at most one of a reply and one of a note, the latest first.',
    }),
    reply_window: conversationViewSchema.shape.reply_window,
    earlier: z.array(inboxRowSchema).meta({
      description: 'At most ten other conversations of the same visitor, latest activity first.',
    }),
    ratings: z.array(ratingSchema).meta({
      description: 'One for each time that a person resolved it, the latest first, 50 at most.',
    }),
    audit_log: z.array(auditEntrySchema).optional().meta({ description: 'With `audit`, newest first.' }),
  })
  .meta({ id: 'InboxConversation' });

type Clock = InboxConversation['clocks']['resolution'];

const presentClock = (clock: Clock) =>
  clock && { since: clock.since.toISOString(), due_at: clock.dueAt.toISOString(), state: clock.state };

export function presentInboxConversation(
  conversation: InboxConversation,
  window: ReplyWindow | null,
): z.output<typeof inboxConversationSchema> {
  const { clocks, drafts, ratings } = conversation;
  return {
    ...presentConversation(conversation),
    handle: conversation.handle,
    summary: conversation.summary,
    assignee: conversation.assignee,
    assigned_at: iso(conversation.assignedAt),
    waiting_since: iso(conversation.waitingSince),
    sla: { first_response: presentClock(clocks.firstResponse), resolution: presentClock(clocks.resolution) },
    metadata: conversation.metadata && { ...conversation.metadata },
    seen_position: conversation.seenPosition,
    drafts: drafts.map(presentDraft),
    reply_window: window && { open: window.isOpen, closes_at: iso(window.closesAt) },
    earlier: conversation.earlier.map(presentRow),
    ratings: ratings.map(({ askedAt, ratedAt, resolvedBy, ...rating }) => ({
      ...{ ...rating, asked_at: askedAt.toISOString(), rated_at: iso(ratedAt), resolved_by: resolvedBy },
    })),
  };
}

export const inboxNoteSchema = noteSchema
  .extend({
    person_id: z.string().nullable().meta({ description: 'Who may change it.' }),
    mentions: z.array(z.string()).meta({ description: 'Ids of people.' }),
    edited_at: time.nullable(),
  })
  .meta({ id: 'InboxNote' });

export function presentInboxNote(note: TimelineNote): z.output<typeof inboxNoteSchema> {
  return {
    id: note.id,
    conversation_id: note.conversationId,
    content: note.content,
    author: note.author,
    created_at: note.createdAt.toISOString(),
    person_id: note.personId,
    mentions: [...note.mentions],
    edited_at: iso(note.editedAt),
  };
}

const partSchema = z.object({
  status: z.enum(['queued', 'held', 'sent', 'delivered', 'read', 'failed', 'withheld']),
  reason: z.string().nullable(),
  at: time,
});

/** A message, a note, or a change of the conversation. */
export const timelineEntrySchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('message'),
      position: z.int(),
      author_id: z.string().nullable().meta({
        description:
          'The person who was signed in when they wrote it. Null: `author` is as the operator token stated it.',
      }),
      author_name: z.string().nullable().meta({ description: 'The name of the person who wrote it.' }),
      parts: z.array(partSchema).meta({
        description: 'The delivery of each part that the platform shows. Empty if nothing is sent.',
      }),
      message: messageSchema,
    }),
    z.object({ kind: z.literal('note'), note: inboxNoteSchema }),
    z.object({ kind: z.literal('change'), change: auditEntrySchema }),
  ])
  .meta({ id: 'TimelineEntry' });

export function presentTimelineEntry(entry: TimelineEntry): z.output<typeof timelineEntrySchema> {
  switch (entry.kind) {
    case 'message':
      return {
        kind: 'message',
        position: entry.position,
        author_id: entry.authorId,
        author_name: entry.authorName,
        parts: entry.parts.map((part) => ({ ...part, at: part.at.toISOString() })),
        message: presentMessage(entry.message),
      };
    case 'note':
      return { kind: 'note', note: presentInboxNote(entry.note) };
    case 'change':
      return { kind: 'change', change: presentAuditEntry(entry.change) };
  }
}

/** Returns the caller as one who changes conversations. */
export function toInboxActor(request: FastifyRequest): InboxActor {
  const { id, owner } = requestWorkspace.get(request);
  const { name, person } = requestActor.get(request);
  return { workspaceId: id, ownerId: owner, name, personId: person?.id ?? null };
}

/** Throws `permission_denied` for the operator's token, which reads and writes nothing as a person. */
export function toPerson(request: FastifyRequest): InboxActor & { readonly personId: string } {
  const { personId, ...actor } = toInboxActor(request);
  if (personId !== null) return { ...actor, personId };
  throw new AppError('permission_denied', { detail: 'Only a person can do this. Sign in to the dashboard.' });
}

/** Returns the caller as one who reads the inbox. */
export function toReader(request: FastifyRequest, now: Date): ListReader {
  const { id, settings } = requestWorkspace.get(request);
  const { person } = requestActor.get(request);
  return {
    workspaceId: id,
    personId: person?.id ?? null,
    isInInbox: true,
    policy: settings.sla,
    now,
    today: startOfDay(now, person?.timeZone ?? settings.support_hours?.time_zone ?? 'UTC'),
  };
}

const dayMs = 24 * 3_600_000;

/** The midnight before `now` in a time zone; on days with a clock change it can be an hour off. */
function startOfDay(now: Date, timeZone: string): Date {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = part;
  const passed = ((hour * 60 + minute) * 60 + second) * 1_000;
  return new Date(now.getTime() - (passed % dayMs) - now.getMilliseconds());
}
