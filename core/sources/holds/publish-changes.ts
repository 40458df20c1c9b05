import { type Kysely, sql } from 'kysely';
import type { Documents } from '../../knowledge/documents/documents.ts';
import { moveDocument } from '../../knowledge/documents/source-documents.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { HeldRun, SourceRow } from '../runs/held-run.ts';
import { deleteDocument, sourceActor } from '../source-documents.ts';
import { type ChangeRow, dropChange, findChange } from './withheld-changes.ts';

interface Publishing {
  readonly database: Kysely<Tables>;
  readonly documents: Pick<Documents, 'add' | 'delete'>;
  readonly held: HeldRun;
  readonly source: SourceRow;
}

/**
 * Replaces one document with the content that the run has read. Returns false if nothing is left. A process that dies
 * in between repeats the change: the same content is not indexed again.
 */
export async function publishChange(publishing: Publishing): Promise<boolean> {
  const { database, documents, held, source } = publishing;
  const change = await findChange(database, held.row);
  if (change === null) return false;
  if (!(await takeOver(publishing, change))) {
    await held.settle(async (transaction) => {
      await dropChange(transaction, change);
      return {};
    });
    return true;
  }
  const document = await documents.add({
    ...{ workspaceId: source.workspace_id, actor: sourceActor, origin: 'source' },
    item: { sourceId: source.id, key: change.key },
    bytes: change.bytes,
    title: change.title ?? undefined,
    url: change.url ?? undefined,
    contentType: change.content_type || undefined,
    fileName: change.file_name ?? undefined,
    audience: change.audience,
  });
  let isDeleted = false;
  await held.settle(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('source_item')
      .set({
        ...{ document_id: document.id, version: change.version },
        ...{ size: change.size, fingerprint: change.fingerprint },
        validators: JSON.stringify(change.validators),
        ...(document.titleGiven && { title: document.title }),
      })
      .where('source_id', '=', source.id)
      .where('key', '=', change.key)
      // A deletion by hand since then takes precedence.
      .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
      .executeTakeFirst();
    isDeleted = numUpdatedRows === 0n;
    await dropChange(transaction, change);
    return {};
  });
  if (isDeleted) await deleteDocument(documents, source.workspace_id, document.id);
  return true;
}

/**
 * Gives the document of the moved item to the item that replaces it. Returns false if a person deleted the document
 * meanwhile; the deletion lasts.
 */
async function takeOver(
  { held, source, database }: Publishing,
  { key, takes_from: from }: ChangeRow,
): Promise<boolean> {
  if (from === null) return !(await isDeletedByHand(database, { sourceId: source.id, key }));
  const rows = await database
    .selectFrom('source_item')
    .select(['key', 'document_id', 'code'])
    .where('source_id', '=', source.id)
    .where('key', 'in', [from, key])
    .execute();
  if (rows.some(({ code }) => code === 'deleted_by_hand')) return false;
  const id = rows.find((row) => row.key === from)?.document_id ?? null;
  // The takeover happened before the process died, or the document was removed: the content becomes a document of its
  // own.
  if (id === null) return true;
  await held.settle(async (transaction) => {
    await moveDocument(transaction, id, { sourceId: source.id, key });
    const ofSource = transaction.updateTable('source_item').where('source_id', '=', source.id);
    await ofSource.set({ document_id: null, moved_to: null }).where('key', '=', from).execute();
    await ofSource.set({ document_id: id }).where('key', '=', key).execute();
    return {};
  });
  return true;
}

async function isDeletedByHand(
  database: Kysely<Tables>,
  { sourceId, key }: { readonly sourceId: string; readonly key: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('source_item')
    .select('key')
    .where('source_id', '=', sourceId)
    .where('key', '=', key)
    .where('code', '=', 'deleted_by_hand')
    .executeTakeFirst();
  return row !== undefined;
}
