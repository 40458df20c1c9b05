import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { type AuditEntry, auditEntryFromRow, requireConversation } from '../audit/audit-log.ts';
import { AppError } from '../base/errors.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import { type InboxDraft, readDrafts } from '../conversations/drafts.ts';
import { type ConversationRecord, conversationFromRow } from '../conversations/inbox/conversation-record.ts';
import type { ListReader } from '../conversations/list/filters.ts';
import { messageDisclosure } from '../conversations/messages/decisions.ts';
import {
  type MessageRecord,
  messageColumns,
  messageFromRow,
  messageParts,
  type PartDelivery,
  readOwnMetadata,
  readPartDeliveries,
} from '../conversations/messages/messages.ts';
import { authorName } from '../members/identity/author-name.ts';
import { isoMicroseconds } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { SlaPolicy } from '../workspaces/workspace-settings.ts';
import { handleOf, type InboxRow, listInbox } from './list.ts';

/** One of the two targets of the workspace's policy. */
interface SlaClock {
  readonly since: Date;
  readonly dueAt: Date;
  readonly state: ConversationRecord['slaState'];
}

/** A conversation as an agent sees it beside its messages. */
export interface InboxConversation extends ConversationRecord {
  /** As the list names the customer. */
  readonly handle: string | null;
  readonly summary: string | null;
  readonly assignee: { readonly id: string; readonly name: string } | null;
  readonly assignedAt: Date | null;
  readonly waitingSince: Date | null;
  readonly clocks: { readonly firstResponse: SlaClock | null; readonly resolution: SlaClock | null };
  readonly seenPosition: number | null;
  /** Those of the reader. */
  readonly drafts: readonly InboxDraft[];
  readonly earlier: readonly InboxRow[];
  /** The ratings, one for each resolution by a person, the latest first. */
  readonly ratings: readonly ConversationRating[];
}

/** `score` is null while the visitor has not answered. */
export interface ConversationRating {
  readonly score: number | null;
  readonly comment: string | null;
  readonly askedAt: Date;
  readonly ratedAt: Date | null;
  /** The name of the person who resolved the conversation; null if they no longer exist. */
  readonly resolvedBy: string | null;
}

const mostRatings = 50;

/** Throws `conversation_not_found`. */
export async function readConversation(
  database: Kysely<Tables>,
  reader: ListReader,
  id: string,
): Promise<InboxConversation> {
  const { workspaceId, personId, policy, now } = reader;
  const row = await database
    .selectFrom('conversation')
    .leftJoin('person', 'person.id', 'conversation.assignee_id')
    .leftJoin('conversation_seen', (join) =>
      join
        .onRef('conversation_seen.conversation_id', '=', 'conversation.id')
        .on('conversation_seen.person_id', '=', personId),
    )
    .selectAll('conversation')
    .select([
      'person.name as assignee_name',
      'conversation_seen.position as seen_position',
      sql<unknown>`(
        select metadata from message
        where conversation_id = conversation.id and role = 'user' and metadata is not null
        order by position desc limit 1
      )`.as('visitor_metadata'),
    ])
    .where('conversation.workspace_id', '=', workspaceId)
    .where('conversation.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
  const record = conversationFromRow(row, policy, now);
  return {
    ...record,
    handle: handleOf(row),
    summary: row.summary,
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    assignedAt: row.assigned_at,
    waitingSince: row.handover_since === null ? null : row.unanswered_since,
    clocks: clocksOf(row, policy, now),
    metadata: record.metadata ?? readOwnMetadata(row.visitor_metadata),
    seenPosition: row.seen_position,
    drafts: personId === null ? [] : await readDrafts(database, { workspaceId, personId }, id),
    earlier: await findEarlier(database, reader, row),
    ratings: await readRatings(database, reader, id),
  };
}

async function readRatings(
  database: Kysely<Tables>,
  { workspaceId }: Pick<ListReader, 'workspaceId'>,
  id: string,
): Promise<readonly ConversationRating[]> {
  const rows = await database
    .selectFrom('conversation_rating')
    .leftJoin('person', 'person.id', 'conversation_rating.person_id')
    .select(['score', 'comment', 'asked_at', 'rated_at', 'person.name'])
    .where('conversation_id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .orderBy('number', 'desc')
    .limit(mostRatings)
    .execute();
  return rows.map(({ score, comment, asked_at: askedAt, rated_at: ratedAt, name }) => ({
    ...{ score, comment, askedAt, ratedAt, resolvedBy: name },
  }));
}

function clocksOf(
  row: Pick<Selectable<Tables['conversation']>, 'unanswered_since' | 'handover_since'>,
  policy: SlaPolicy | undefined,
  now: Date,
): InboxConversation['clocks'] {
  const clock = (since: Date | null, minutes: number | undefined): SlaClock | null => {
    if (since === null || row.handover_since === null || minutes === undefined) return null;
    const dueAt = new Date(since.getTime() + minutes * 60_000);
    const riskAt = since.getTime() + minutes * 48_000;
    const state = now > dueAt ? 'breached' : now.getTime() >= riskAt ? 'at_risk' : 'in_compliance';
    return { since, dueAt, state };
  };
  return {
    firstResponse: clock(row.unanswered_since, policy?.first_response_minutes),
    resolution: clock(row.handover_since, policy?.resolution_minutes),
  };
}

const mostEarlier = 10;

/** The other conversations of the same visitor: by their session, their verified id or their address. */
async function findEarlier(
  database: Kysely<Tables>,
  reader: ListReader,
  row: Pick<
    Selectable<Tables['conversation']>,
    'id' | 'channel' | 'session_id' | 'customer_user_id' | 'customer_email'
  >,
): Promise<readonly InboxRow[]> {
  const email = row.customer_email ?? undefined;
  const ids = await sql<{ id: string }>`
    select id from (
      select id, last_message_at from conversation
      where workspace_id = ${reader.workspaceId} and session_id = ${row.session_id} and channel = ${row.channel}
      union
      select id, last_message_at from conversation
      where workspace_id = ${reader.workspaceId} and customer_email is not null
        and lower(customer_email) = lower(${email ?? null})
    ) conversation
    where id <> ${row.id}
    order by last_message_at desc limit ${mostEarlier}
  `.execute(database);
  if (ids.rows.length === 0) return [];
  const wanted = ids.rows.map(({ id }) => id);
  const page = await listInbox(database, reader, {
    filters: {},
    ids: wanted,
    sort: 'latest',
    page: { limit: mostEarlier },
  });
  return page.items;
}

/** An entry of the time line of a conversation: a message, a note, or a change. */
export type TimelineEntry =
  | {
      readonly kind: 'message';
      readonly position: number;
      readonly message: MessageRecord;
      readonly parts: readonly PartDelivery[];
      /**
       * The person who was signed in as the author; null if an integrator stated the author with the operator's
       * token.
       */
      readonly authorId: string | null;
      /** The name of the author; null if they no longer exist. */
      readonly authorName: string | null;
    }
  | { readonly kind: 'note'; readonly note: TimelineNote }
  | { readonly kind: 'change'; readonly change: AuditEntry };

export interface TimelineNote {
  readonly id: string;
  readonly conversationId: string;
  readonly content: string;
  readonly author: string;
  readonly personId: string | null;
  readonly mentions: readonly string[];
  readonly createdAt: Date;
  readonly editedAt: Date | null;
}

export function timelineNoteFromRow(row: Selectable<Tables['note']>): TimelineNote {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    content: row.content,
    author: row.author,
    personId: row.person_id,
    mentions: row.mentions,
    createdAt: row.created_at,
    editedAt: row.edited_at,
  };
}

interface TimelineKey {
  readonly kind: 'message' | 'note' | 'change';
  readonly id: string;
  /** The position of a message; 0 for the others. */
  readonly place: number;
  readonly exact_at: string;
}

const timelinePosition = z.tuple([z.iso.datetime(), z.int(), z.string().regex(/^\w+$/)]);

/** The kinds of changes that a time line shows. The others repeat its messages and notes. */
const shownChanges = [
  'status_changed',
  'tags_changed',
  'priority_changed',
  'assignee_changed',
  'customer_changed',
  'metadata_changed',
  'snooze_changed',
  'lead_captured',
  'rated',
];

/**
 * Returns messages, notes and changes of a conversation, newest first. Throws `conversation_not_found` and
 * `invalid_cursor`.
 */
export async function readTimeline(
  database: Kysely<Tables>,
  workspaceId: string,
  id: string,
  page: PageRequest,
): Promise<Page<TimelineEntry>> {
  const list = `timeline ${id}`;
  const after = page.cursor === undefined ? null : readCursor(list, page.cursor, timelinePosition);
  const earlier =
    after === null ? sql`true` : sql`(at, place, id) < (${after[0]}::timestamptz, ${after[1]}, ${after[2]})`;
  const rows = page.limit + 1;
  const found = await sql<TimelineKey>`
    select kind, id, place, ${isoMicroseconds(sql.ref('at'))} as exact_at from (
      (select * from (
        select 'message' as kind, id, position as place, created_at as at from message
        where conversation_id = ${id} and workspace_id = ${workspaceId}
      ) entry where ${earlier} order by at desc, place desc, id desc limit ${rows})
      union all
      (select * from (
        select 'note' as kind, id, 0 as place, created_at as at from note
        where conversation_id = ${id} and workspace_id = ${workspaceId}
      ) entry where ${earlier} order by at desc, place desc, id desc limit ${rows})
      union all
      (select * from (
        select 'change' as kind, id, 0 as place, at from audit_entry
        where conversation_id = ${id} and workspace_id = ${workspaceId} and action in (${sql.join(shownChanges)})
      ) entry where ${earlier} order by at desc, place desc, id desc limit ${rows})
    ) entry
    order by at desc, place desc, id desc limit ${rows}
  `.execute(database);
  if (found.rows.length === 0) await requireConversation(database, { workspaceId, id });
  const { items, nextCursor } = cutPage(found.rows, page.limit, ({ exact_at, place, id: last }) =>
    writeCursor(list, [exact_at, place, last]),
  );
  return { items: await loadEntries(database, workspaceId, items), nextCursor };
}

async function loadEntries(
  database: Kysely<Tables>,
  workspaceId: string,
  keys: readonly TimelineKey[],
): Promise<readonly TimelineEntry[]> {
  const idsOf = (kind: TimelineKey['kind']) => keys.filter((key) => key.kind === kind).map(({ id }) => id);
  const [messageIds, noteIds, changeIds] = [idsOf('message'), idsOf('note'), idsOf('change')];
  const messages =
    messageIds.length === 0
      ? []
      : await database
          .selectFrom('message')
          .select(messageColumns)
          .select([messageParts, messageDisclosure])
          .select(['person_id as author_id', authorName.as('author_name')])
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', messageIds)
          .execute();
  const notes =
    noteIds.length === 0
      ? []
      : await database
          .selectFrom('note')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', noteIds)
          .execute();
  const changes =
    changeIds.length === 0
      ? []
      : await database
          .selectFrom('audit_entry')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', changeIds)
          .execute();
  const entries = new Map<string, TimelineEntry>([
    ...messages.map((row) => [row.id, messageEntry(row)] as const),
    ...notes.map((row) => [row.id, { kind: 'note', note: timelineNoteFromRow(row) }] as const),
    ...changes.map((row) => [row.id, { kind: 'change', change: auditEntryFromRow(row) }] as const),
  ]);
  return keys.flatMap(({ id }) => entries.get(id) ?? []);
}

type MessageRow = Parameters<typeof messageFromRow>[0] & {
  readonly author_id: string | null;
  readonly author_name: string | null;
};

function messageEntry(row: MessageRow): TimelineEntry {
  return {
    kind: 'message',
    position: row.position,
    message: messageFromRow(row),
    parts: readPartDeliveries(row.parts),
    authorId: row.author_id,
    authorName: row.author_name,
  };
}

/** The number of questions that the engine answered since the reader's midnight. Counting ends at `most`. */
export interface AnswersToday {
  readonly answered: number;
  /** The number of those with low confidence. */
  readonly low: number;
}

export async function countAnswersToday(
  database: Kysely<Tables>,
  { workspaceId, today }: Pick<ListReader, 'workspaceId' | 'today'>,
  most: number,
): Promise<AnswersToday> {
  const count = (isWanted: RawBuilder<unknown>) => sql`(
    select count(*)::int from (
      select from message where workspace_id = ${workspaceId} and ${isWanted} and created_at >= ${today} limit ${most}
    ) found
  )`;
  const { rows } = await sql<{ sure: number; low: number }>`
    select ${count(sql`confidence in ('high', 'medium')`)} as sure, ${count(sql`confidence = 'low'`)} as low
  `.execute(database);
  const { sure = 0, low = 0 } = rows[0] ?? {};
  return { answered: sure + low, low };
}
