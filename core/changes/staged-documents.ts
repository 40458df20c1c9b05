import type { Kysely } from 'kysely';
import { AppError } from '../base/errors.ts';
import { type DocumentRecord, toDocumentRecord } from '../knowledge/documents/document.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ChangeItem } from './change-item.ts';
import type { ChangeSet } from './change-set.ts';

interface Staged {
  readonly set: Pick<ChangeSet, 'stagingId'>;
  readonly items: readonly Pick<ChangeItem, 'stagedDocumentId'>[];
}

/** Returns the staged documents of items by their ids. */
export async function findStagedDocuments(
  database: Kysely<Tables>,
  { set: { stagingId }, items }: Staged,
): Promise<ReadonlyMap<string, DocumentRecord>> {
  const ids = items.flatMap(({ stagedDocumentId }) => stagedDocumentId ?? []);
  if (stagingId === null || ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('document')
    .selectAll()
    .where('workspace_id', '=', stagingId)
    .where('id', 'in', ids)
    .where('status', '<>', 'deleted')
    .execute();
  return new Map(rows.map((row) => [row.id, toDocumentRecord(row)]));
}

/** Throws `change_set_not_ready` unless all staged documents are indexed. */
export async function requireReady(database: Kysely<Tables>, staged: Staged): Promise<void> {
  for (const { status, title, failure } of (await findStagedDocuments(database, staged)).values()) {
    if (status === 'indexed') continue;
    const detail =
      status === 'failed'
        ? `${title} cannot be read: ${failure?.reason ?? ''} Change or remove it.`
        : `${title} is being indexed. Try again in a moment.`;
    throw new AppError('change_set_not_ready', { detail });
  }
}
