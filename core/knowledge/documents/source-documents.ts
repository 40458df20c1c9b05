import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { itemKey } from './documents.ts';

/** Excludes the documents from answers at once; maintenance removes their passages. Returns their number. */
export async function deleteDocuments(transaction: Transaction<Tables>, sourceId: string): Promise<number> {
  const result = await transaction
    .updateTable('document')
    .set({ status: 'deleted', revision: -1, source_key: sql`'deleted ' || id`, source_id: null })
    .where('source_id', '=', sourceId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** The document is that of another item from now on, and keeps its id and what it answers. */
export async function moveDocument(
  transaction: Transaction<Tables>,
  id: string,
  item: { readonly sourceId: string; readonly key: string },
): Promise<void> {
  await transaction
    .updateTable('document')
    .set({ source_key: itemKey(item) })
    .where('id', '=', id)
    .where('source_id', '=', item.sourceId)
    .where('status', '<>', 'deleted')
    .execute();
}

/** From now on they are known by their URL, so that adding a page by hand replaces its document. */
export async function keepDocuments(transaction: Transaction<Tables>, sourceId: string): Promise<void> {
  await sql`
    update document set source_key = 'url ' || url
    where id in (select min(id) from document where source_id = ${sourceId} and status <> 'deleted' group by url)
      and url is not null
      and not exists (
        select from document as other
        where other.workspace_id = document.workspace_id and other.source_key = 'url ' || document.url
      )
  `.execute(transaction);
}
