import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

type SourceRow = Selectable<Tables['source']>;

interface StoredSource {
  readonly workspaceId: string;
  readonly id: string;
}

/** Throws `source_not_found`. */
export async function requireSource(database: Kysely<Tables>, source: StoredSource): Promise<SourceRow> {
  const row = await selectSource(database, source).executeTakeFirst();
  if (row === undefined) throw new AppError('source_not_found');
  return row;
}

/** Locks a source until the transaction ends. Throws `source_not_found`. */
export async function lockSource(transaction: Transaction<Tables>, source: StoredSource): Promise<SourceRow> {
  const row = await selectSource(transaction, source).forUpdate().executeTakeFirst();
  if (row === undefined) throw new AppError('source_not_found');
  return row;
}

function selectSource(database: Kysely<Tables>, { workspaceId, id }: StoredSource) {
  return database
    .selectFrom('source')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id);
}

const MOST_SOURCES = 100;

/** Throws `too_many_sources` if a workspace has as many as it may. */
export async function requireRoom(transaction: Transaction<Tables>, workspaceId: string): Promise<void> {
  const { count } = await transaction
    .selectFrom('source')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (count >= MOST_SOURCES) throw new AppError('too_many_sources');
}
