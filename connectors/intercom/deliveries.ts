import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import { parsedJson } from '../shared/payload.ts';
import { type Author, adminOf, authorOf, partMessageId, sourceMessageId } from './identifiers.ts';
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
const tells = ['source', 'part', 'status', 'holder', 'redacted', 'rating', 'deleted'] as const;

export const storedSchema = z.object({
  tells: z.enum(tells),
  /** The part that it is about; null where it is about the conversation. */
  part: z.string().nullable(),
  notification: parsedJson,
});

type Tells = (typeof tells)[number];

interface Told {
  readonly id: string;
  readonly tells: Tells;
  readonly part?: string;
}

type Read = (
  item: IntercomConversation,
  context: { readonly notification: IntercomNotification; readonly admin: string | null },
) => readonly Told[];

const parts: Read = (item, { admin }) => partsOf(item).flatMap((part) => tellingOf(part, item, admin));

const topics: Readonly<Record<string, Read>> = {
  // Who answers what we sent out begins a conversation too: the beginning is not his then.
  'conversation.user.created': (item, context) =>
    authorOf(sourceOf(item)?.author ?? null, context.admin) === 'contact'
      ? beginning(item, context.admin)
      : parts(item, context),
  'conversation.user.replied': parts,
  'conversation.admin.single.created': (item, { admin }) => beginning(item, admin),
  'conversation.admin.replied': parts,
  'conversation.admin.assigned': parts,
  'conversation.admin.open.assigned': parts,
  'conversation.admin.closed': parts,
  'conversation.admin.opened': parts,
  'conversation_part.redacted': (item) =>
    partsOf(item).map(({ id }) => ({
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
export function deliveriesOf(native: Json, account: IntercomAccount): readonly Delivery[] {
  const read = notificationSchema.safeParse(native);
  if (!read.success) return [];
  const { topic, app_id, data } = read.data;
  const told = topics[topic]?.(data.item, { notification: read.data, admin: adminOf(account) }) ?? [];
  return told.map(({ id, tells, part = null }) => ({
    id,
    lane: data.item.id,
    native: { tells, part, notification: native },
    ...(app_id !== null && { tenant: app_id }),
  }));
}

/** How the conversation began. */
export function sourceOf({ source, conversation_message }: IntercomConversation): IntercomSource | null {
  return source ?? conversation_message;
}

/** The parts that the notification is about, as far as they are understood. */
export function partsOf({ conversation_parts }: IntercomConversation): readonly IntercomPart[] {
  return (conversation_parts?.conversation_parts ?? []).flatMap((part) => {
    const read = partSchema.safeParse(part);
    return read.success ? [read.data] : [];
  });
}

function tellingOf(part: IntercomPart, item: IntercomConversation, admin: string | null): readonly Told[] {
  const id = partMessageId(item.id, part.id);
  const changes = statusOf(part, item, admin) !== null;
  return [
    ...held(part, item, { id, admin }),
    ...(saysSomething(part) && !isNote(part) ? [{ id, tells: 'part' as const, part: part.id }] : []),
    ...(changes ? [{ id: `${id}/status`, tells: 'status' as const, part: part.id }] : []),
  ];
}

function saysSomething({ body, attachments }: Pick<IntercomPart, 'body' | 'attachments'>): boolean {
  return (body ?? '') !== '' || (attachments ?? []).length > 0;
}

function beginning(item: IntercomConversation, admin: string | null): readonly Told[] {
  const source = sourceOf(item);
  const by = authorOf(source?.author ?? null, admin);
  if (source === null || by === 'machine' || !saysSomething(source)) return [];
  const id = sourceMessageId(item.id);
  return [...(by === 'contact' ? held(source, item, { id, admin }) : []), { id, tells: 'source' }];
}

/** A contact speaks to the teammate who has the conversation, also where nobody told us that somebody took it. */
function held(
  said: Pick<IntercomPart, 'author'> | null,
  item: IntercomConversation,
  { id, admin }: { readonly id: string; readonly admin: string | null },
): readonly Told[] {
  const isToTeammate = authorOf(said?.author ?? null, admin) === 'contact' && holderOf(item, admin) !== null;
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
export function statusOf(
  part: IntercomPart,
  conversation: IntercomConversation,
  admin: string | null,
): Status | null {
  const by = authorOf(part.author, admin);
  const type = part.part_type ?? '';
  if (by === 'us') return null;
  if (type === 'close') return 'resolved';
  const isReply = part.body !== null && !isNote(part);
  const opens = opening.includes(type) && !isReply && by === 'teammate';
  return opens || assigning.includes(type) ? statusBy(by, { part, conversation, admin }) : null;
}

/** The teammate who has the conversation, if it is not we. */
export function holderOf(
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
function statusBy(by: Author, { part: { assigned_to: to }, conversation, admin }: Change): Status | null {
  if (to?.type === 'admin' && to.id !== null && to.id === admin) return 'open';
  const isTeammates = to?.type === 'admin' && to.id !== null && to.id !== NOBODY;
  if (isTeammates || holderOf(conversation, admin) !== null) return 'claimed';
  if (by !== 'teammate') return null;
  return to?.type === 'team' ? 'claimed' : 'open';
}
