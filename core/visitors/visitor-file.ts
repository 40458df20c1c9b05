import type { Kysely } from 'kysely';
import type { FetchedFile } from '../contract/facets.ts';
import type { Tables } from '../storage/tables.ts';

interface Sought {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly id: string;
}

/** A file that a visitor sent in that conversation; null where there is none. */
export async function visitorFile(
  database: Kysely<Tables>,
  { workspaceId, conversationId, id }: Sought,
): Promise<FetchedFile | null> {
  const row = await database
    .selectFrom('visitor_file')
    .select(['content_type', 'bytes'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { contentType: row.content_type, body: row.bytes };
}
