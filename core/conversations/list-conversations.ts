import { type ExpressionBuilder, type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { cutPage, type Page, type PageRequest } from '../pagination.ts';
import { exactTime } from '../storage/exact-time.ts';
import type { Tables } from '../storage/tables.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { ConversationFilters } from './conversation-filters.ts';
import { type ConversationRecord, conversationOf } from './conversation-record.ts';
import { filterConversations } from './filter-conversations.ts';
import { type ListPosition, listPositionSchema } from './list-position.ts';
import { wasStored } from './was-stored.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

export interface ConversationListRequest {
  readonly workspace: Pick<Workspace, 'id' | 'settings'>;
  readonly filters: Omit<ConversationFilters, 'workspaceId'>;
  readonly page: PageRequest;
}

type Row = Selectable<Tables['conversation']> & {
  readonly position: Date;
  readonly exact_position: string;
  readonly snapshot: string;
};
type Rows = SelectQueryBuilder<Tables, 'conversation', Selectable<Tables['conversation']>>;

/** How far the clocks of the servers may lie apart without one hiding from another that a conversation moved. */
const clockToleranceMs = 60_000;

/**
 * Conversations of a workspace, latest activity first. Each page keeps to the order of the first one: what is said
 * while somebody pages lifts a conversation to the top of the next reading, and takes it out of this one in no case.
 * Throws `invalid_cursor`.
 */
export async function listConversations(
  { database, clock }: Stores,
  { workspace, filters, page }: ConversationListRequest,
): Promise<Page<ConversationRecord>> {
  const now = clock.now();
  const policy = workspace.settings.sla;
  const wanted = { ...filters, workspaceId: workspace.id };
  const list = `conversations ${JSON.stringify(wanted)}`;
  const after = page.cursor === undefined ? null : readCursor(list, page.cursor, listPositionSchema);
  const passing = database
    .selectFrom('conversation')
    .selectAll('conversation')
    .where((is: ExpressionBuilder<Tables, 'conversation'>) =>
      filterConversations(is, wanted, { policy, now }),
    );
  const most = page.limit + 1;
  const rows = await (after === null
    ? firstRows(passing, most)
    : nextRows(database, passing, { after, most }));
  const settledBefore = after?.settledBefore ?? new Date(now.getTime() - clockToleranceMs).toISOString();
  const { items, nextCursor } = cutPage(rows, page.limit, (row) => {
    const position = { at: row.exact_position, id: row.id, settledBefore, snapshot: row.snapshot };
    return writeCursor(list, position satisfies ListPosition);
  });
  return { items: items.map((row) => conversationOf(row, policy, now)), nextCursor };
}

/** The snapshot is the one that this very statement reads. */
function firstRows(passing: Rows, most: number): Promise<readonly Row[]> {
  const position = sql<Date>`last_message_at`;
  return passing
    .select([
      position.as('position'),
      exactTime(position).as('exact_position'),
      sql<string>`pg_current_snapshot()::text`.as('snapshot'),
    ])
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Those that have rested since, in the order of the index, and those that may have moved, put back in their place. */
function nextRows(
  database: Kysely<Tables>,
  passing: Rows,
  { after, most }: { readonly after: ListPosition; readonly most: number },
): Promise<readonly Row[]> {
  const before = sql<Date>`(
    select max(message.created_at) from message
    where message.conversation_id = conversation.id and ${wasStored(after.snapshot)}
  )`;
  const rested = passing
    .select(sql<Date>`last_message_at`.as('position'))
    .where('last_message_at', '<', sql<Date>`${after.settledBefore}::timestamptz`)
    .where(isAfter('last_message_at', after))
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  const lively = passing
    .select(before.as('position'))
    .where('last_message_at', '>=', sql<Date>`${after.settledBefore}::timestamptz`);
  return database
    .selectFrom(rested.as('rested'))
    .selectAll()
    .unionAll(database.selectFrom(lively.as('lively')).selectAll().where(isAfter('position', after)))
    .$call((both) => database.selectFrom(both.as('both')))
    .selectAll()
    .select([
      exactTime(sql.ref('position')).as('exact_position'),
      sql<string>`${after.snapshot}::text`.as('snapshot'),
    ])
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

function isAfter(position: 'last_message_at' | 'position', { at, id }: ListPosition) {
  return sql<boolean>`(${sql.ref(position)}, id) < (${at}::timestamptz, ${id})`;
}
