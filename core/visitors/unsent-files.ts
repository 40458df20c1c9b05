import type { Kysely } from 'kysely';
import type { Attachment } from '../contract/inbound-event.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import { attachmentOf } from './attachment-of.ts';
import type { Visitor } from './visitor.ts';

/** The files of a visitor that he sends now, in the order of `ids`. Throws `attachment_not_found`. */
export async function unsentFiles(
  database: Kysely<Tables>,
  { id, workspaceId }: Visitor,
  ids: readonly string[],
): Promise<readonly Attachment[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('visitor_file')
    .select(['id', 'name', 'content_type', 'size'])
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', id)
    .where('conversation_id', 'is', null)
    .where('id', 'in', ids)
    .execute();
  return [...new Set(ids)].map((wanted) => {
    const row = rows.find((one) => one.id === wanted);
    if (row === undefined) throw new AppError('attachment_not_found');
    return attachmentOf(row);
  });
}
