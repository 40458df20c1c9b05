import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../base/pagination.ts';
import { isoMicroseconds } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type AuditEntry, auditEntryFromRow } from './audit-log.ts';

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Entries at or after this time. */
  readonly since?: Date | undefined;
  /** Entries before this time. */
  readonly until?: Date | undefined;
  /** Also the entries of single conversations. */
  readonly conversations?: boolean | undefined;
}

export interface AuditScope {
  readonly workspaceId: string;
  /** Null for a caller who may not read about the members of the owner: their sign-ins are left out. */
  readonly ownerId: string | null;
}

const positionSchema = z.tuple([z.iso.datetime(), z.string().regex(/^\w+$/)]);

/** Returns the entries of a workspace and of its owner, latest first. Throws `invalid_cursor`. */
export async function listWorkspaceAudit(
  database: Kysely<Tables>,
  { workspaceId, ownerId }: AuditScope,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditEntry>> {
  const { actor, action, since, until, conversations = false } = filter;
  const list = `audit ${JSON.stringify([workspaceId, actor, action, since, until, conversations])}`;
  let ofWorkspace = database.selectFrom('audit_entry').selectAll().where('workspace_id', '=', workspaceId);
  if (!conversations) ofWorkspace = ofWorkspace.where('conversation_id', 'is', null);
  const ofOwner = database
    .selectFrom('audit_entry')
    .selectAll()
    .where('owner_id', '=', ownerId ?? '');
  // Each half is read in the order of an index, and the two are merged.
  let query = database
    .selectFrom(ofWorkspace.unionAll(ofOwner).as('entry'))
    .selectAll()
    .select((expression) => isoMicroseconds(expression.ref('at')).as('page_time'))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action !== undefined) query = query.where('action', '=', action);
  if (since !== undefined) query = query.where('at', '>=', since);
  if (until !== undefined) query = query.where('at', '<', until);
  if (page.cursor !== undefined) {
    const [time, id] = readCursor(list, page.cursor, positionSchema);
    query = query.where(sql<boolean>`(at, id) < (${time}::timestamptz, ${id})`);
  }
  const rows = await query.execute();
  const { items, nextCursor } = cutPage(rows, page.limit, (row) =>
    writeCursor(list, [row.page_time, row.id]),
  );
  return { items: items.map(auditEntryFromRow), nextCursor };
}
