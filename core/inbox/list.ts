import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Page, PageRequest } from '../base/pagination.ts';
import {
  type ConversationStatus,
  conversationStatuses,
  type Priority,
  priorities,
  type SlaState,
} from '../contract/conversation-values.ts';
import { channelIdOf } from '../conversations/inbox/conversation-record.ts';
import { slaDueAt, slaState } from '../conversations/inbox/sla.ts';
import type { ConversationFilters, ListReader } from '../conversations/list/filters.ts';
import { listConversations } from '../conversations/list/list-conversations.ts';
import { type InboxSort, liveOrder } from '../conversations/list/live-order.ts';
import { parseSearch, soughtWords } from '../conversations/list/search-query.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type FoundRow, foundColumns, foundPassage, passageAround } from './found-passage.ts';
import {
  findVisitorWords,
  type LastLine,
  type LastLineRow,
  lastLineColumns,
  lastLines,
  parseLastLine,
} from './last-line.ts';

/** A conversation as a list of the inbox shows it. */
export interface InboxRow {
  readonly id: string;
  readonly channel: string;
  readonly channelId: string | null;
  readonly status: ConversationStatus;
  readonly priority: Priority;
  readonly customer: {
    readonly name: string | null;
    readonly email: string | null;
    /** Whether the address was proven. Null without an address. */
    readonly emailVerified: boolean | null;
    readonly phone: string | null;
  };
  /** Null for an anonymous visitor. */
  readonly handle: string | null;
  readonly tags: readonly string[];
  readonly assignee: { readonly id: string; readonly name: string } | null;
  readonly startedAt: Date;
  readonly lastMessageAt: Date;
  readonly snoozeUntil: Date | null;
  /** The time since which the visitor waits for a person. */
  readonly waitingSince: Date | null;
  readonly slaState: SlaState;
  readonly slaDueAt: Date | null;
  readonly messageCount: number;
  /** The number of the visitor's messages that the reader has not seen; 99 at most. */
  readonly unread: number;
  readonly hasDraft: boolean;
  readonly lastLine: LastLine | null;
  /** The last question of a visitor who waits; null if none waits. */
  readonly visitorWords: string | null;
  /** The passage around the words that were searched for; null without a search and if no message or note has them. */
  readonly found: string | null;
}

export interface ListRequest {
  readonly filters: ConversationFilters;
  /** Only these. */
  readonly ids?: readonly string[];
  readonly sort: InboxSort;
  readonly page: PageRequest;
}

/** Returns a page of an inbox in its live order. Throws `invalid_cursor`. */
export async function listInbox(
  database: Kysely<Tables>,
  reader: ListReader,
  { sort, ...request }: ListRequest,
): Promise<Page<InboxRow>> {
  const order = liveOrder(sort, reader.policy);
  const { q } = request.filters;
  const words = q === undefined ? [] : soughtWords(parseSearch(q));
  const { items, nextCursor } = await listConversations(database, reader, {
    ...{ ...request, order, shown: shownColumns(reader, words) },
  });
  return { items: items.map((row) => inboxRow(row, reader, words)), nextCursor };
}

function shownColumns({ workspaceId, personId, policy }: ListReader, words: readonly string[]) {
  const columns = sql<ListedRow>`
           conversation.id, channel, channel_id, session_id, status, priority, customer_name, customer_email,
           customer_phone, tags, started_at, last_message_at, snooze_until, unanswered_since, handover_since,
           case when customer_email is not null then customer_email_verified end as verified, message_count, assignee_id, person.name as assignee_name, ${slaDueAt(policy)} as sla_due_at,
           unread.count as unread,
           exists (
             select from conversation_draft
             where person_id = ${personId} and conversation_draft.conversation_id = conversation.id
           ) as has_draft,
           ${lastLineColumns}, ${foundColumns}`;
  const joins = sql`
    left join person on person.id = assignee_id
    left join conversation_seen seen on seen.person_id = ${personId} and seen.conversation_id = conversation.id
    ${lastLines}
    ${foundPassage(words, workspaceId)}
    cross join lateral (
      select count(*)::int as count from (
        select from message
        where message.conversation_id = conversation.id and message.role = 'user'
          and message.position > coalesce(seen.position, -1)
          and conversation.visitor_position > coalesce(seen.position, -1)
          and (handover_since is not null or assignee_id is not null)
          and status not in ('resolved', 'archived')
        limit ${mostUnread}
      ) later
    ) unread`;
  return { columns, joins };
}

const mostUnread = 99;

interface ListedRow extends LastLineRow, FoundRow {
  readonly id: string;
  readonly channel: string;
  readonly channel_id: string | null;
  readonly session_id: string | null;
  readonly status: string;
  readonly priority: string;
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  readonly verified: boolean | null;
  readonly customer_phone: string | null;
  readonly tags: readonly string[];
  readonly started_at: Date;
  readonly last_message_at: Date;
  readonly snooze_until: Date | null;
  readonly unanswered_since: Date | null;
  readonly handover_since: Date | null;
  readonly message_count: number;
  readonly assignee_id: string | null;
  readonly assignee_name: string | null;
  readonly sla_due_at: Date | null;
  readonly unread: number;
  readonly has_draft: boolean;
}

const statusSchema = z.enum(conversationStatuses);
const prioritySchema = z.enum(priorities);

function inboxRow(row: ListedRow, { personId, policy, now }: ListReader, words: readonly string[]): InboxRow {
  const status = statusSchema.parse(row.status);
  const { customer_name: name, customer_email: email, customer_phone: phone } = row;
  const clocks = { status, unansweredSince: row.unanswered_since, handoverSince: row.handover_since };
  return {
    id: row.id,
    channel: row.channel,
    channelId: channelIdOf(row),
    status,
    priority: prioritySchema.parse(row.priority),
    customer: { name, email, emailVerified: row.verified, phone },
    handle: handleOf(row),
    tags: row.tags,
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    startedAt: row.started_at,
    lastMessageAt: row.last_message_at,
    snoozeUntil: row.snooze_until,
    waitingSince: row.handover_since === null ? null : row.unanswered_since,
    slaState: slaState(clocks, policy, now),
    slaDueAt: row.sla_due_at,
    messageCount: row.message_count,
    unread: personId === null ? 0 : row.unread,
    hasDraft: row.has_draft,
    lastLine: parseLastLine(row),
    visitorWords: findVisitorWords(row),
    found: passageAround(row, words),
  };
}

type Named = Pick<ListedRow, 'session_id' | 'customer_name' | 'customer_email' | 'customer_phone'>;

/** If a platform identifies visitors by their telephone number, the session ends with it. */
export function handleOf({ session_id, ...customer }: Named): string | null {
  const known = customer.customer_name ?? customer.customer_email ?? customer.customer_phone;
  if (known !== null) return known;
  return /:(\+\d{6,15})$/.exec(session_id ?? '')?.[1] ?? null;
}

/** Counting of views ends at this number; `fewCounted` is for those that are slower to count, or that can be many. */
export const mostCounted = 1_000;
export const fewCounted = 100;
