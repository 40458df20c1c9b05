import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { Chunk } from '../chunk-document.ts';
import { type DocumentRecord, toDocumentRecord } from '../document.ts';
import { DocumentError } from '../document-error.ts';
import { deleteUploads, loadUpload } from '../document-upload.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { DocumentReader } from '../read/document-reader.ts';
import { indexChunks } from './index-chunks.ts';
import { findServingModel } from './serving-model.ts';
import { buildVectorGraph, removeChunks } from './write-chunks.ts';

export interface IngestDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  readonly reader: Pick<DocumentReader, 'read'>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
  /** Aborted when the process must stop; another process then continues the work. */
  readonly signal?: AbortSignal;
}

/** `superseded`: a newer upload or the deletion of the document intervened. */
type IngestOutcome = 'indexed' | 'failed' | 'superseded' | 'nothing-to-do';

/**
 * Reads, chunks, embeds and indexes the newest upload of a document, then publishes it with one statement. Until then
 * the earlier revision keeps answering, and after a crash the work restarts without any effect on answers. A
 * DocumentError is recorded as `failed`; other errors are thrown so that the job is retried.
 */
export async function ingestDocument(
  dependencies: IngestDependencies,
  documentId: string,
): Promise<IngestOutcome> {
  const document = await startRevision(dependencies, documentId);
  if (document === null) return 'nothing-to-do';
  if (document.status === 'deleted') return removeDocument(dependencies, document);
  await removeChunks(dependencies.database, document.number, document.revision);
  try {
    return await indexRevision(dependencies, document);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    await recordIngestFailure(dependencies, document, error);
    return 'failed';
  }
}

async function startRevision(
  { database, clock }: IngestDependencies,
  documentId: string,
): Promise<DocumentRecord | null> {
  const row = await database
    .selectFrom('document')
    .selectAll()
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.status === 'deleted') {
    // From here on the document cannot be restored.
    const final = await database
      .updateTable('document')
      .set({ undo: null, restorable_until: null })
      .where('id', '=', documentId)
      .where('status', '=', 'deleted')
      .where(({ or, eb }) => or([eb('undo', 'is', null), eb('restorable_until', '<=', clock.now())]))
      .returningAll()
      .executeTakeFirst();
    return final === undefined ? null : toDocumentRecord(final);
  }
  const started = await database
    .updateTable('document')
    .set({ status: 'indexing', progress: 0 })
    .where('id', '=', documentId)
    .where('status', 'in', ['queued', 'indexing'])
    .returningAll()
    .executeTakeFirst();
  return started === undefined ? null : toDocumentRecord(started);
}

async function indexRevision(
  dependencies: IngestDependencies,
  document: DocumentRecord,
): Promise<IngestOutcome> {
  const { database } = dependencies;
  const read = await readRevision(dependencies, document);
  if (read === null) return 'superseded';
  const { content, chunks } = read;
  const title = document.titleGiven ? document.title : (content.title ?? document.title);
  const owner = {
    documentNumber: document.number,
    revision: document.wantedRevision,
    scopeId: await findOrCreateScope(database, document.workspaceId, document.audience),
    title,
  };
  const embedder = await findServingModel(dependencies, document.workspaceId);
  if (!(await indexChunks({ ...dependencies, embedder }, owner, chunks))) return 'superseded';
  const published = await publish(dependencies, document, {
    title,
    url: document.url ?? content.url,
    scopeId: owner.scopeId,
    chunkCount: chunks.length,
  });
  if (!published) return 'superseded';
  await removeChunks(database, document.number, document.wantedRevision);
  await buildVectorGraph(database, owner.scopeId);
  return 'indexed';
}

interface ReadRevision {
  readonly content: { readonly title: string | null; readonly url: string | null };
  readonly chunks: readonly Chunk[];
}

/**
 * Reads the upload of the wanted revision. Without one, the passages of the published revision are indexed anew, with
 * the document's present title and audience. Returns null if there is neither.
 */
async function readRevision(
  { database, reader }: IngestDependencies,
  { number, wantedRevision, revision, contentType, fileName, workspaceId }: DocumentRecord,
): Promise<ReadRevision | null> {
  const bytes = await loadUpload(database, { documentNumber: number, revision: wantedRevision });
  if (bytes !== null) {
    const { document, chunks } = await reader.read({ bytes, contentType, fileName }, { workspaceId });
    return { content: document, chunks };
  }
  if (revision < 1) return null;
  const chunks = await database
    .selectFrom('chunk')
    .select(['ordinal', 'headings', 'body'])
    .where('document_number', '=', number)
    .where('revision', '=', revision)
    .orderBy('ordinal')
    .execute();
  return { content: { title: null, url: null }, chunks };
}

interface Published {
  readonly title: string;
  readonly url: string | null;
  readonly scopeId: number;
  readonly chunkCount: number;
}

async function publish(
  dependencies: IngestDependencies,
  document: DocumentRecord,
  published: Published,
): Promise<boolean> {
  return eventTransaction(dependencies, async (transaction) => {
    const result = await transaction
      .updateTable('document')
      .set({
        revision: document.wantedRevision,
        scope_id: published.scopeId,
        title: published.title,
        url: published.url,
        chunk_count: published.chunkCount,
        status: 'indexed',
        progress: 100,
        indexed_at: dependencies.clock.now(),
      })
      .where('number', '=', document.number)
      .where('wanted_revision', '=', document.wantedRevision)
      .where('status', '=', 'indexing')
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    await deleteUploads(transaction, document.number);
    return true;
  });
}

/** Records `failed`; the upload stays for another attempt. Also called after the last retry of other errors, so that no document stays `indexing` forever. */
export async function recordIngestFailure(
  dependencies: Pick<IngestDependencies, 'database' | 'scheduleDeliveries'>,
  document: Pick<DocumentRecord, 'number' | 'wantedRevision'>,
  failure: { readonly code: string; readonly reason: string },
): Promise<void> {
  await eventTransaction(dependencies, async (transaction) => {
    await transaction
      .updateTable('document')
      .set({
        status: 'failed',
        failure_code: failure.code,
        failure_reason: failure.reason,
        content_hash: null,
      })
      .where('number', '=', document.number)
      .where('wanted_revision', '=', document.wantedRevision)
      .where('status', 'in', ['queued', 'indexing'])
      .execute();
  });
}

async function removeDocument(
  { database }: IngestDependencies,
  document: DocumentRecord,
): Promise<IngestOutcome> {
  await removeChunks(database, document.number, -1);
  await database.deleteFrom('document').where('number', '=', document.number).execute();
  return 'superseded';
}

/** Returns the id of a workspace's scope for exactly these audience tags (sorted), and creates it if needed. */
export async function findOrCreateScope(
  database: Kysely<Tables>,
  workspaceId: string,
  audience: readonly string[],
): Promise<number> {
  const tags = [...audience];
  await database
    .insertInto('scope')
    .values({ workspace_id: workspaceId, audience: tags, term_count: 0 })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'audience']).doNothing())
    .execute();
  const row = await database
    .selectFrom('scope')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('audience', '=', sql<string[]>`${tags}::text[]`)
    .executeTakeFirstOrThrow();
  return row.id;
}
