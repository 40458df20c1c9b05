import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import { jsonValue } from '../shared/payload.ts';
import {
  type AuthorKind,
  classifyAuthor,
  findAdminId,
  partMessageId,
  sourceMessageId,
} from './identifiers.ts';
import type { IntercomAccount } from './manifest.ts';
import {
  type IntercomConversation,
  type IntercomNotification,
  type IntercomPart,
  type IntercomSource,
  notificationSchema,
  partSchema,
} from './payloads.ts';

/** What is stored: one notification may tell several things, each of which is dealt with by itself. */
const FACT_KINDS = ['source', 'part', 'status', 'holder', 'redacted', 'rating', 'deleted'] as const;

export const storedNotificationSchema = z.object({
  tells: z.enum(FACT_KINDS),
  /** The part that it is about; null where it is about the conversation. */
  part: z.string().nullable(),
  notification: jsonValue,
});

type FactKind = (typeof FACT_KINDS)[number];

interface Fact {
  readonly id: string;
  readonly tells: FactKind;
  readonly part?: string;
}

type TopicReader = (
  item: IntercomConversation,
  context: { readonly notification: IntercomNotification; readonly admin: string | null },
) => readonly Fact[];

const parts: TopicReader = (item, { admin }) =>
  parseParts(item).flatMap((part) => partFacts(part, item, admin));

const topics: Readonly<Record<string, TopicReader>> = {
  // Who answers what we sent out begins a conversation too: the beginning is not his then.
  'conversation.user.created': (item, context) =>
    classifyAuthor(conversationSource(item)?.author ?? null, context.admin) === 'contact'
      ? sourceFacts(item, context.admin)
      : parts(item, context),
  'conversation.user.replied': parts,
  'conversation.admin.single.created': (item, { admin }) => sourceFacts(item, admin),
  'conversation.admin.replied': parts,
  'conversation.admin.assigned': parts,
  'conversation.admin.open.assigned': parts,
  'conversation.admin.closed': parts,
  'conversation.admin.opened': parts,
  'conversation_part.redacted': (item) =>
    parseParts(item).map(({ id }) => ({
      id: `${partMessageId(item.id, id)}/redacted`,
      tells: 'redacted',
      part: id,
    })),
  'conversation.rating.added': (item, { notification }) => [
    { id: `${item.id}/rating/${notification.id ?? ''}`, tells: 'rating' },
  ],
  'conversation.deleted': (item) => [{ id: `${item.id}/deleted`, tells: 'deleted' }],
};

/** What an operator subscribes to. */
export const topicNames: readonly string[] = Object.keys(topics);

/**
 * The deliveries of a notification: none where it is of no interest. They are named after the parts that they are
 * about, for Intercom tells of one part in several notifications, such as a reply that closes the conversation.
 */
export function toDeliveries(native: Json, account: IntercomAccount): readonly Delivery[] {
  const read = notificationSchema.safeParse(native);
  if (!read.success) return [];
  const { topic, app_id, data } = read.data;
  const told = topics[topic]?.(data.item, { notification: read.data, admin: findAdminId(account) }) ?? [];
  return told.map(({ id, tells, part = null }) => ({
    id,
    lane: data.item.id,
    native: { tells, part, notification: native },
    ...(app_id !== null && { tenant: app_id }),
  }));
}

/** How the conversation began. */
export function conversationSource({
  source,
  conversation_message,
}: IntercomConversation): IntercomSource | null {
  return source ?? conversation_message;
}

/** The parts that the notification is about, as far as they are understood. */
export function parseParts({ conversation_parts }: IntercomConversation): readonly IntercomPart[] {
  return (conversation_parts?.conversation_parts ?? []).flatMap((part) => {
    const read = partSchema.safeParse(part);
    return read.success ? [read.data] : [];
  });
}

function partFacts(part: IntercomPart, item: IntercomConversation, admin: string | null): readonly Fact[] {
  const id = partMessageId(item.id, part.id);
  const changes = parseStatus(part, item, admin) !== null;
  return [
    ...assigneeFact(part, item, { id, admin }),
    ...(hasContent(part) && !isNote(part) ? [{ id, tells: 'part' as const, part: part.id }] : []),
    ...(changes ? [{ id: `${id}/status`, tells: 'status' as const, part: part.id }] : []),
  ];
}

function hasContent({ body, attachments }: Pick<IntercomPart, 'body' | 'attachments'>): boolean {
  return (body ?? '') !== '' || (attachments ?? []).length > 0;
}

function sourceFacts(item: IntercomConversation, admin: string | null): readonly Fact[] {
  const source = conversationSource(item);
  const by = classifyAuthor(source?.author ?? null, admin);
  if (source === null || by === 'machine' || !hasContent(source)) return [];
  const id = sourceMessageId(item.id);
  return [...(by === 'contact' ? assigneeFact(source, item, { id, admin }) : []), { id, tells: 'source' }];
}

/** A contact speaks to the teammate who has the conversation, also where nobody told us that somebody took it. */
function assigneeFact(
  said: Pick<IntercomPart, 'author'> | null,
  item: IntercomConversation,
  { id, admin }: { readonly id: string; readonly admin: string | null },
): readonly Fact[] {
  const isToTeammate =
    classifyAuthor(said?.author ?? null, admin) === 'contact' && findAssignee(item, admin) !== null;
  return isToTeammate ? [{ id: `${id}/holder`, tells: 'holder' }] : [];
}

type Status = 'open' | 'claimed' | 'resolved';

const opening = ['open', 'assign_and_reopen', 'note_and_reopen', 'reopened', 'assign_and_unsnooze'];
const assigning = ['assignment', 'default_assignment'];
const NOBODY = '0';

/**
 * What a part makes of its conversation: closed, a teammate's, or ours again; null where it changes nothing of that.
 * `admin` is our own id. What we did ourselves changes nothing, and neither do rules of the workspace, unless they give
 * it to a teammate or close it.
 */
export function parseStatus(
  part: IntercomPart,
  conversation: IntercomConversation,
  admin: string | null,
): Status | null {
  const by = classifyAuthor(part.author, admin);
  const type = part.part_type ?? '';
  if (by === 'us') return null;
  if (type === 'close') return 'resolved';
  const isReply = part.body !== null && !isNote(part);
  const opens = opening.includes(type) && !isReply && by === 'teammate';
  return opens || assigning.includes(type) ? statusAfter(by, { part, conversation, admin }) : null;
}

/** The teammate who has the conversation, if it is not we. */
export function findAssignee(
  { admin_assignee_id, assignee }: IntercomConversation,
  admin: string | null,
): string | null {
  const named = assignee?.type === 'admin' ? assignee.id : null;
  const holder = admin_assignee_id ?? named;
  return holder === NOBODY || holder === admin ? null : holder;
}

/** Words for the team: they are never told to a contact, and never answered. */
function isNote({ part_type }: Pick<IntercomPart, 'part_type'>): boolean {
  return part_type?.startsWith('note') ?? false;
}

interface Change {
  readonly part: IntercomPart;
  readonly conversation: IntercomConversation;
  readonly admin: string | null;
}

/** The part and the conversation do not always agree: whoever is named has it. */
function statusAfter(
  by: AuthorKind,
  { part: { assigned_to: to }, conversation, admin }: Change,
): Status | null {
  if (to?.type === 'admin' && to.id !== null && to.id === admin) return 'open';
  const isTeammates = to?.type === 'admin' && to.id !== null && to.id !== NOBODY;
  if (isTeammates || findAssignee(conversation, admin) !== null) return 'claimed';
  if (by !== 'teammate') return null;
  return to?.type === 'team' ? 'claimed' : 'open';
}
