import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import { storable } from '../storable.ts';
import type { Tables } from '../storage/tables.ts';
import type { Visitor } from './visitor.ts';

/** Forgets a file that its visitor chose and does not send after all. Throws `attachment_not_found`. */
export async function takeFileBack(
  database: Kysely<Tables>,
  { id: visitorId, workspaceId }: Visitor,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('visitor_file')
    .where('id', '=', storable(id))
    .where('visitor_id', '=', visitorId)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('attachment_not_found');
}
