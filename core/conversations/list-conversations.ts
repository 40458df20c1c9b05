import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { cutPage, type Page, type PageRequest } from '../pagination.ts';
import type { Tables } from '../storage/tables.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { ConversationFilters } from './conversation-filters.ts';
import { conversationPage } from './conversation-pages.ts';
import { type ConversationRecord, conversationOf } from './conversation-record.ts';
import { filterConditions } from './filter-conditions.ts';
import { type ListPosition, listPositionSchema } from './list-position.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

export interface ConversationListRequest {
  readonly workspace: Pick<Workspace, 'id' | 'settings'>;
  readonly filters: Omit<ConversationFilters, 'workspaceId'>;
  readonly page: PageRequest;
}

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
  const conditions = filterConditions(wanted, { policy, now });
  const rows = await conversationPage(database, { conditions, after, rows: page.limit + 1, now });
  const { items, nextCursor } = cutPage(rows, page.limit, (row) => {
    const { id, exact_position: at, settled_before: settledBefore, snapshot } = row;
    return writeCursor(list, { at, id, settledBefore, snapshot } satisfies ListPosition);
  });
  return { items: items.map((row) => conversationOf(row, policy, now)), nextCursor };
}
