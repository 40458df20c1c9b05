import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import { jsonValue } from '../shared/http.ts';
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

/** The kinds of stored facts. One notification may contain several facts, each of which is a delivery. */
const FACT_KINDS = ['source', 'part', 'status', 'holder', 'redacted', 'rating', 'deleted'] as const;

export const storedNotificationSchema = z.object({
  tells: z.enum(FACT_KINDS),
  /** The id of the part; null for a fact about the conversation. */
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
  // Intercom also sends this when a contact answers an outbound message, whose source is not the contact's.
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

/** The topics that the operator subscribes to. */
export const topicNames: readonly string[] = Object.keys(topics);

/**
 * Returns the deliveries of a notification; none for an unused topic. Their ids consist of the parts' ids, because Intercom
 * sends one part in several notifications, for example a reply that closes the conversation.
 */
export function toDeliveries(native: Json, account: IntercomAccount): readonly Delivery[] {
  const parsed = notificationSchema.safeParse(native);
  if (!parsed.success) return [];
  const { topic, app_id, data } = parsed.data;
  const facts = topics[topic]?.(data.item, { notification: parsed.data, admin: findAdminId(account) }) ?? [];
  return facts.map(({ id, tells, part = null }) => ({
    id,
    lane: data.item.id,
    native: { tells, part, notification: native },
    ...(app_id !== null && { tenant: app_id }),
  }));
}

/** Returns the first message of a conversation. */
export function conversationSource({
  source,
  conversation_message,
}: IntercomConversation): IntercomSource | null {
  return source ?? conversation_message;
}

/** Returns the parts of a notification, without malformed ones. */
export function parseParts({ conversation_parts }: IntercomConversation): readonly IntercomPart[] {
  return (conversation_parts?.conversation_parts ?? []).flatMap((part) => {
    const { data } = partSchema.safeParse(part);
    return data === undefined ? [] : [data];
  });
}

function partFacts(part: IntercomPart, item: IntercomConversation, admin: string | null): readonly Fact[] {
  const id = partMessageId(item.id, part.id);
  const changesStatus = parseStatus(part, item, admin) !== null;
  return [
    ...assigneeFact(part, item, { id, admin }),
    ...(hasContent(part) && !isNote(part) ? [{ id, tells: 'part' as const, part: part.id }] : []),
    ...(changesStatus ? [{ id: `${id}/status`, tells: 'status' as const, part: part.id }] : []),
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

/** Records the assignee for a contact's message, in case no notification about the assignment arrived. */
function assigneeFact(
  message: Pick<IntercomPart, 'author'> | null,
  item: IntercomConversation,
  { id, admin }: { readonly id: string; readonly admin: string | null },
): readonly Fact[] {
  const isToTeammate =
    classifyAuthor(message?.author ?? null, admin) === 'contact' && findAssignee(item, admin) !== null;
  return isToTeammate ? [{ id: `${id}/holder`, tells: 'holder' }] : [];
}

type Status = 'open' | 'claimed' | 'resolved';

const openingTypes = ['open', 'assign_and_reopen', 'note_and_reopen', 'reopened', 'assign_and_unsnooze'];
const assigningTypes = ['assignment', 'default_assignment'];
const UNASSIGNED = '0';

/**
 * Returns the status of a conversation after a part: closed, claimed by a teammate, or open for the bot; null if the part
 * does not change it. `admin` is the id of the bot's teammate. Actions of the bot change nothing, and neither do rules of the
 * workspace, unless they assign the conversation to a teammate or close it.
 */
export function parseStatus(
  part: IntercomPart,
  conversation: IntercomConversation,
  admin: string | null,
): Status | null {
  const by = classifyAuthor(part.author, admin);
  const type = part.part_type ?? '';
  if (by === 'bot') return null;
  if (type === 'close') return 'resolved';
  const isReply = part.body !== null && !isNote(part);
  const opens = openingTypes.includes(type) && !isReply && by === 'teammate';
  return opens || assigningTypes.includes(type) ? statusAfter(by, { part, conversation, admin }) : null;
}

/** Returns the id of the assigned teammate; null if the conversation is unassigned or assigned to the bot. */
export function findAssignee(
  { admin_assignee_id, assignee }: IntercomConversation,
  admin: string | null,
): string | null {
  const assigneeId = admin_assignee_id ?? (assignee?.type === 'admin' ? assignee.id : null);
  return assigneeId === UNASSIGNED || assigneeId === admin ? null : assigneeId;
}

/** Notes are for the team. They are never shown to a contact and never answered. */
function isNote({ part_type }: Pick<IntercomPart, 'part_type'>): boolean {
  return part_type?.startsWith('note') ?? false;
}

interface Change {
  readonly part: IntercomPart;
  readonly conversation: IntercomConversation;
  readonly admin: string | null;
}

/** The part and the conversation may name different assignees; a teammate named by either has claimed it. */
function statusAfter(
  by: AuthorKind,
  { part: { assigned_to: to }, conversation, admin }: Change,
): Status | null {
  if (to?.type === 'admin' && to.id !== null && to.id === admin) return 'open';
  const isToTeammate = to?.type === 'admin' && to.id !== null && to.id !== UNASSIGNED;
  if (isToTeammate || findAssignee(conversation, admin) !== null) return 'claimed';
  if (by !== 'teammate') return null;
  return to?.type === 'team' ? 'claimed' : 'open';
}
