import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import {
  type ConversationStatus,
  conversationStatuses,
  type Priority,
  priorities,
  type SlaState,
} from '../contract/conversation-values.ts';
import { channelIdOf } from '../conversations/inbox/conversation-record.ts';
import { slaState } from '../conversations/inbox/sla.ts';
import { isoMicroseconds } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import {
  candidateQueries,
  type InboxConditions,
  type InboxFilters,
  type InboxReader,
  type InboxSort,
  inboxConditions,
  slaDueAt,
} from './filters.ts';
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
    /** Whether the address was proven, and not only stated. Null without one. */
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
  /** Since when the visitor waits for a person. */
  readonly waitingSince: Date | null;
  readonly slaState: SlaState;
  readonly slaDueAt: Date | null;
  readonly messageCount: number;
  /** Messages of the visitor that the reader has not seen; 99 at most. */
  readonly unread: number;
  readonly hasDraft: boolean;
  readonly lastLine: LastLine | null;
  /** The last question of a visitor who waits; null if none waits. */
  readonly visitorWords: string | null;
}

interface ListRequest {
  readonly filters: InboxFilters;
  /** Only these. */
  readonly ids?: readonly string[];
  readonly sort: InboxSort;
  readonly page: PageRequest;
}

/** Returns a page of an inbox. Conversations that a visitor writes in between two pages move to the front. Throws `invalid_cursor`. */
export async function listInbox(
  database: Kysely<Tables>,
  reader: InboxReader,
  { filters, ids, sort, page }: ListRequest,
): Promise<Page<InboxRow>> {
  const list = `inbox ${JSON.stringify([reader.workspaceId, reader.personId, filters, sort])}`;
  const after = page.cursor === undefined ? null : readCursor(list, page.cursor, positionSchema);
  const { ordered, common, rare } = inboxConditions(filters, reader);
  const only = ids === undefined ? [] : [sql<SqlBool>`id = any (${[...ids]}::text[])`];
  const wanted = {
    conditions: { ordered, common, rare: [...rare, ...only] },
    ...{ filters, sort, after, rows: page.limit + 1 },
  };
  const rows = await loadRows(database, reader, wanted);
  const { items, nextCursor } = cutPage(rows, page.limit, ({ timed, exact_position: at, id }) =>
    writeCursor(list, { timed, at, id } satisfies Position),
  );
  return { items: items.map((row) => inboxRow(row, reader)), nextCursor };
}

const positionSchema = z.object({
  /** Whether the position is one of the rows with a clock, which come first. */
  timed: z.boolean(),
  at: z.iso.datetime(),
  id: z.string().regex(/^\w+$/),
});

type Position = z.output<typeof positionSchema>;

interface Wanted {
  readonly filters: InboxFilters;
  readonly conditions: InboxConditions;
  readonly sort: InboxSort;
  readonly after: Position | null;
  readonly rows: number;
}

/** The number of latest conversations that are searched before the indexes of the filters are. */
const headRows = 400;

/**
 * Most filters match many conversations, so the latest ones fill a page. Where they do not, the matches are selected by
 * their own indexes and then sorted; the planner cannot know in advance which of the two is faster.
 */
async function loadRows(
  database: Kysely<Tables>,
  reader: InboxReader,
  wanted: Wanted,
): Promise<readonly ListedRow[]> {
  const { ordered, common, rare } = wanted.conditions;
  const conditions = [...ordered, ...common, ...rare];
  const timed = sql`(
    select * from conversation where ${all([...conditions, sql`handover_since is not null`])} offset 0
  ) conversation`;
  const load = (source: RawBuilder<unknown>) => selectRows(database, reader, { ...wanted, source, timed });
  const select = (matching: readonly Expression<unknown>[]) =>
    sql`(select * from conversation where ${all(matching)} offset 0) conversation`;
  if (rare.length > 0) return load(select(conditions));
  const latest = sql`(select * from conversation where ${all(ordered)}) conversation`;
  if (common.length === 0) return load(latest);
  if (wanted.sort === 'latest') {
    const head = sql`(
      select * from (
        select * from conversation where ${all([...ordered, ...afterLatest(wanted.after)])}
        order by last_message_at desc, id desc limit ${headRows}
      ) conversation where ${all(common)}
    ) conversation`;
    const found = await load(head);
    if (found.length === wanted.rows) return found;
  }
  return load(select([...conditions, ...(await narrow(database, wanted.filters, reader))]));
}

/** More candidates than these are no help: other conditions are read first. */
const mostCandidates = 2_000;

/**
 * Reads which conversations can match a text, and returns conditions that they are these. Where they are few, no other
 * way is as fast; the planner cannot know whether they are, and would read all conversations.
 */
async function narrow(
  database: Kysely<Tables>,
  filters: InboxFilters,
  reader: InboxReader,
): Promise<readonly RawBuilder<unknown>[]> {
  const found = await Promise.all(
    candidateQueries(filters, reader).map(async (query) => {
      const { rows } = await sql<{ id: string }>`${query} limit ${mostCandidates + 1}`.execute(database);
      return rows.map(({ id }) => id);
    }),
  );
  return found
    .filter(({ length }) => length <= mostCandidates)
    .map((ids) => sql`id = any (${[...new Set(ids)]}::text[])`);
}

function all(conditions: readonly Expression<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql`) and (`)})`;
}

function afterLatest(after: Position | null): readonly RawBuilder<unknown>[] {
  return after === null ? [] : [sql`(last_message_at, id) < (${after.at}::timestamptz, ${after.id})`];
}

interface Selection extends Wanted {
  readonly source: RawBuilder<unknown>;
  /** The rows that can have a clock. */
  readonly timed: RawBuilder<unknown>;
}

/** One statement: the rows of the page, and what the list shows of each. */
async function selectRows(
  database: Kysely<Tables>,
  { personId, policy }: InboxReader,
  selection: Selection,
): Promise<readonly ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select conversation.id, channel, channel_id, session_id, status, priority, customer_name, customer_email,
           customer_phone, tags, started_at, last_message_at, snooze_until, unanswered_since, handover_since,
           case when customer_email is not null then customer_email_verified end as verified, message_count, assignee_id, person.name as assignee_name, ${slaDueAt(policy)} as sla_due_at,
           unread.count as unread,
           exists (
             select from conversation_draft
             where person_id = ${personId} and conversation_draft.conversation_id = conversation.id
           ) as has_draft,
           ${lastLineColumns}, timed, ${isoMicroseconds(sql.ref('placed_at'))} as exact_position
    from (${placedRows(selection, policy)}) conversation
    left join person on person.id = assignee_id
    left join conversation_seen seen on seen.person_id = ${personId} and seen.conversation_id = conversation.id
    ${lastLines}
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
    ) unread
    order by timed desc, case when timed then placed_at end, case when timed then conversation.id end,
             placed_at desc, conversation.id desc
  `.execute(database);
  return rows;
}

const mostUnread = 99;

/** Rows with a clock come first, the one that is due next on top; the others follow, latest activity first. */
function placedRows(
  { source, timed, sort, after, rows }: Selection,
  policy: InboxReader['policy'],
): RawBuilder<unknown> {
  const later = after === null || after.timed ? [] : afterLatest(after);
  const latest = (conditions: readonly RawBuilder<unknown>[]) => sql`(
    select conversation.*, false as timed, last_message_at as placed_at from ${source}
    where ${all([...conditions, ...later])}
    order by last_message_at desc, id desc limit ${rows}
  )`;
  if (sort === 'latest') return latest([]);
  const clock = sort === 'waiting' ? { at: sql`unanswered_since`, isMissing: notWaiting } : slaClock(policy);
  const untimed = latest([clock.isMissing]);
  if (after !== null && !after.timed) return untimed;
  const next = after === null ? sql`true` : sql`(placed_at, id) > (${after.at}::timestamptz, ${after.id})`;
  return sql`
    select * from (
      (
        select * from (select conversation.*, true as timed, ${clock.at} as placed_at from ${timed}) conversation
        where placed_at is not null and ${next}
        order by placed_at, id limit ${rows}
      )
      union all ${untimed}
    ) conversation
    order by timed desc, case when timed then placed_at end, case when timed then id end, placed_at desc, id desc
    limit ${rows}`;
}

/** Said in columns: of an expression the planner would expect that it is hardly ever null. */
const notWaiting = sql<SqlBool>`(handover_since is null or unanswered_since is null)`;

function slaClock(policy: InboxReader['policy']) {
  const at = slaDueAt(policy);
  if (policy?.resolution_minutes === undefined && policy?.first_response_minutes === undefined) {
    return { at, isMissing: sql`true` };
  }
  const unanswered = policy.resolution_minutes === undefined ? sql`unanswered_since is null` : sql`false`;
  return {
    at,
    isMissing: sql`(handover_since is null or status not in ('claimed', 'escalated') or ${unanswered})`,
  };
}

interface ListedRow extends LastLineRow {
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
  readonly timed: boolean;
  readonly exact_position: string;
}

const statusSchema = z.enum(conversationStatuses);
const prioritySchema = z.enum(priorities);

function inboxRow(row: ListedRow, { personId, policy, now }: InboxReader): InboxRow {
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
  };
}

type Named = Pick<ListedRow, 'session_id' | 'customer_name' | 'customer_email' | 'customer_phone'>;

/** Where a platform identifies visitors by their telephone number, the session ends with it. */
export function handleOf({ session_id, ...customer }: Named): string | null {
  const known = customer.customer_name ?? customer.customer_email ?? customer.customer_phone;
  if (known !== null) return known;
  return /:(\+\d{6,15})$/.exec(session_id ?? '')?.[1] ?? null;
}

/** Selects what matches filters, or the conversations with these ids, as `conversation`. */
export function selectMatching(
  reader: InboxReader,
  range: { readonly ids: readonly string[] } | { readonly filters: InboxFilters },
): RawBuilder<unknown> {
  const { ordered, common, rare } = inboxConditions('filters' in range ? range.filters : {}, reader);
  const only = 'ids' in range ? [sql<SqlBool>`id = any (${[...range.ids]}::text[])`] : [];
  return sql`(select * from conversation where ${all([...ordered, ...common, ...rare, ...only])} offset 0) conversation`;
}

/** Counting ends here, so that it costs the same in a small and in a large inbox. */
export const mostCounted = 1_000;

/** Of views that are slower to count, or of which there can be many. */
export const fewCounted = 100;

export interface Counting {
  readonly filters: InboxFilters;
  /** Counting ends here. */
  readonly most: number;
}

/** Returns the number of conversations for each of the filters, in one statement; `most` means as many or more. */
export async function countInbox<Name extends string>(
  database: Kysely<Tables>,
  reader: InboxReader,
  wanted: ReadonlyMap<Name, Counting>,
): Promise<ReadonlyMap<Name, number>> {
  if (wanted.size === 0) return new Map();
  const counts = await Promise.all(
    [...wanted.values()].map(async ({ filters, most }) => {
      const { ordered, common, rare } = inboxConditions(filters, reader);
      const matching = all([...ordered, ...common, ...rare, ...(await narrow(database, filters, reader))]);
      return sql`(
        select count(*)::int from (select from conversation where ${matching} limit ${most}) matching
      )`;
    }),
  );
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    database,
  );
  return new Map([...wanted.keys()].map((name, index) => [name, rows[0]?.counts[index] ?? 0]));
}
