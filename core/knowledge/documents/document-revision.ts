import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { writeAuditEntries } from '../../audit/audit-log.ts';
import type { Actor } from '../../contract/actor.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type DocumentOrigin, type DocumentRecord, toDocumentRecord } from './document.ts';
import { deleteUploads, storeUpload } from './document-upload.ts';

/** The content and the fields of a document. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly audience?: readonly string[] | undefined;
  readonly origin?: DocumentOrigin | undefined;
  /** Set if the document is known to be unreadable before it is read; it is then stored as `failed`. */
  readonly refusal?: { readonly code: string; readonly reason: string } | undefined;
}

/** Stores the source as the wanted revision of a document, which a worker then indexes. */
export async function queueRevision(
  transaction: Transaction<Tables>,
  document: DocumentRecord,
  { source, now }: { readonly source: DocumentSource; readonly now: Date },
): Promise<DocumentRecord> {
  const revision = document.wantedRevision + 1;
  const row = await transaction
    .updateTable('document')
    .set({
      title: source.title ?? document.title,
      title_given: source.title !== undefined,
      url: source.url ?? document.url,
      content_type: source.contentType ?? null,
      file_name: source.fileName ?? null,
      audience: normaliseAudience(source.audience),
      status: 'queued',
      progress: 0,
      failure_code: null,
      failure_reason: null,
      wanted_revision: revision,
      content_hash: contentHash(source),
      byte_count: source.bytes.byteLength,
      updated_at: now,
      origin: source.origin ?? null,
    })
    .where('number', '=', document.number)
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeUpload(transaction, { documentNumber: document.number, revision }, source.bytes);
  return toDocumentRecord(row);
}

/** Stores that the source cannot be read. The revision that answers use stays. */
export async function refuseRevision(
  transaction: Transaction<Tables>,
  document: DocumentRecord,
  { source, now }: { readonly source: DocumentSource; readonly now: Date },
): Promise<DocumentRecord> {
  await deleteUploads(transaction, document.number);
  const row = await transaction
    .updateTable('document')
    .set({
      status: 'failed',
      failure_code: source.refusal?.code ?? null,
      failure_reason: source.refusal?.reason ?? null,
      wanted_revision: document.wantedRevision + 1,
      content_hash: null,
      updated_at: now,
      origin: source.origin ?? null,
    })
    .where('number', '=', document.number)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toDocumentRecord(row);
}

/** Queues what is stored for indexing: the upload that was kept, or else the passages of the published revision. */
export async function requeueRevision(
  transaction: Transaction<Tables>,
  document: DocumentRecord,
  now: Date,
): Promise<DocumentRecord> {
  const revision = document.wantedRevision + 1;
  await transaction
    .updateTable('document_upload')
    .set({ revision })
    .where('document_number', '=', document.number)
    .execute();
  const row = await transaction
    .updateTable('document')
    .set({
      status: 'queued',
      progress: 0,
      failure_code: null,
      failure_reason: null,
      wanted_revision: revision,
      updated_at: now,
    })
    .where('number', '=', document.number)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toDocumentRecord(row);
}

/** Returns true if the upload of the wanted revision is stored. */
export async function hasUpload(
  transaction: Transaction<Tables>,
  { number, wantedRevision }: DocumentRecord,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('document_upload')
    .select('part')
    .where('document_number', '=', number)
    .where('revision', '=', wantedRevision)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

interface DocumentAudit {
  readonly action:
    | 'document_added'
    | 'document_changed'
    | 'document_deleted'
    | 'document_restored'
    | 'document_reindexed';
  readonly actor: Actor;
  readonly at: Date;
  /** The names of what was changed. */
  readonly fields?: readonly string[];
}

/** Writes the change of a document to the audit log of its workspace, in the transaction of the change. */
export async function auditDocument(
  transaction: Transaction<Tables>,
  { id, workspaceId, title }: Pick<DocumentRecord, 'id' | 'workspaceId' | 'title'>,
  { action, actor, at, fields }: DocumentAudit,
): Promise<void> {
  const details = { document: id, name: title, ...(fields !== undefined && { fields }) };
  await writeAuditEntries(transaction, { id: null, workspaceId, actor, at }, [{ action, details }]);
}

export function normaliseAudience(audience: readonly string[] = []): string[] {
  return [...new Set(audience)].sort();
}

/** Identifies a source: content, title, URL, content type and audience. */
export function contentHash(source: DocumentSource): string {
  const { title, url, contentType, audience, bytes } = source;
  const described = JSON.stringify([title, url, contentType, normaliseAudience(audience)]);
  return createHash('sha256').update(described).update('\0').update(bytes).digest('hex');
}

/** Finds a document that is not deleted, and locks its row until the end of the transaction. */
export async function lockDocument(
  transaction: Transaction<Tables>,
  workspaceId: string,
  id: string,
): Promise<DocumentRecord | null> {
  const row = await transaction
    .selectFrom('document')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(sql<boolean>`status <> 'deleted'`)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toDocumentRecord(row);
}
