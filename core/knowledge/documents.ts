import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Page, PageRequest } from '../pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { type DocumentRecord, toDocumentRecord } from './document.ts';
import { deleteUploads, storeUpload } from './document-upload.ts';
import type { WakeDocument } from './indexing/ingest-jobs.ts';

export interface NewDocument {
  readonly workspaceId: string;
  readonly bytes: Uint8Array;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly audience?: readonly string[] | undefined;
  /** Why it cannot be indexed, known before it was read: it is recorded as failed. */
  readonly refusal?: { readonly code: string; readonly reason: string } | undefined;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Called after a document was stored that has to be indexed. */
  readonly wake: WakeDocument;
  readonly wakeDeliveries?: ScheduleDeliveries;
}

/** The documents of a workspace. The rows are the truth about what is to be indexed; the queue only wakes workers. */
export class Documents {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a document to be indexed. One with the same address, or else the same file name, is replaced: it answers
   * from what it held until the new revision is whole. The same content again is left alone.
   */
  async add(wanted: NewDocument): Promise<DocumentRecord> {
    const hash = contentHash(wanted);
    const stored = await eventTransaction(this.#dependencies, async (transaction) => {
      const document = await this.#claimRow(transaction, wanted);
      if (wanted.refusal !== undefined) return this.#refuse(transaction, document, wanted);
      if (document.contentHash === hash && document.status !== 'failed') return document;
      return this.#queueRevision(transaction, document, { ...wanted, hash });
    });
    if (stored.status === 'queued') await this.#dependencies.wake(stored);
    return stored;
  }

  async #claimRow(transaction: Transaction<Tables>, wanted: NewDocument): Promise<DocumentRecord> {
    const now = this.#dependencies.clock.now();
    const id = newId('doc');
    const row = await transaction
      .insertInto('document')
      .values({
        id,
        workspace_id: wanted.workspaceId,
        scope_id: null,
        source_key: sourceKey(wanted, id),
        title: wanted.title ?? wanted.fileName ?? wanted.url ?? 'Untitled',
        title_given: wanted.title !== undefined,
        url: wanted.url ?? null,
        content_type: wanted.contentType ?? null,
        file_name: wanted.fileName ?? null,
        status: 'queued',
        wanted_revision: 0,
        failure_code: null,
        failure_reason: null,
        content_hash: null,
        created_at: now,
        updated_at: now,
        indexed_at: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'source_key'])
          .doUpdateSet({ updated_at: sql`document.updated_at` }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    return toDocumentRecord(row);
  }

  async #queueRevision(
    transaction: Transaction<Tables>,
    document: DocumentRecord,
    wanted: NewDocument & { readonly hash: string },
  ): Promise<DocumentRecord> {
    const revision = document.wantedRevision + 1;
    const row = await transaction
      .updateTable('document')
      .set({
        title: wanted.title ?? document.title,
        title_given: wanted.title !== undefined,
        url: wanted.url ?? document.url,
        content_type: wanted.contentType ?? null,
        audience: normaliseAudience(wanted),
        status: 'queued',
        progress: 0,
        failure_code: null,
        failure_reason: null,
        wanted_revision: revision,
        content_hash: wanted.hash,
        byte_count: wanted.bytes.byteLength,
        updated_at: this.#dependencies.clock.now(),
      })
      .where('number', '=', document.number)
      .returningAll()
      .executeTakeFirstOrThrow();
    await storeUpload(transaction, { documentNumber: document.number, revision }, wanted.bytes);
    return toDocumentRecord(row);
  }

  async #refuse(
    transaction: Transaction<Tables>,
    document: DocumentRecord,
    wanted: NewDocument,
  ): Promise<DocumentRecord> {
    await deleteUploads(transaction, document.number);
    const row = await transaction
      .updateTable('document')
      .set({
        status: 'failed',
        failure_code: wanted.refusal?.code ?? null,
        failure_reason: wanted.refusal?.reason ?? null,
        wanted_revision: document.wantedRevision + 1,
        content_hash: null,
        updated_at: this.#dependencies.clock.now(),
      })
      .where('number', '=', document.number)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toDocumentRecord(row);
  }

  /** Throws `document_not_found`. */
  async get(workspaceId: string, id: string): Promise<DocumentRecord> {
    const row = await this.#dependencies.database
      .selectFrom('document')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '<>', 'deleted')
      .executeTakeFirst();
    if (row === undefined) throw new AppError('document_not_found');
    return toDocumentRecord(row);
  }

  async list(workspaceId: string, page: PageRequest): Promise<Page<DocumentRecord>> {
    const query = this.#dependencies.database
      .selectFrom('document')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('status', '<>', 'deleted');
    const { items, nextCursor } = await keysetPage(
      query,
      { list: `documents ${workspaceId}`, latest: 'updated_at' },
      page,
    );
    return { items: items.map(toDocumentRecord), nextCursor };
  }

  /** Throws `document_not_found` unless every one of `ids` is a document of the workspace. */
  async requireAll(workspaceId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.#dependencies.database
      .selectFrom('document')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('status', '<>', 'deleted')
      .where('id', 'in', [...ids])
      .execute();
    const known = new Set(rows.map((row) => row.id));
    const missing = ids.find((id) => !known.has(id));
    if (missing !== undefined)
      throw new AppError('document_not_found', { detail: `There is no document ${missing}.` });
  }

  /** From now on nothing is drawn from it; its chunks are removed in the background. Throws `document_not_found`. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const row = await this.#dependencies.database
      .updateTable('document')
      .set({ status: 'deleted', revision: -1, source_key: `deleted ${id}` })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '<>', 'deleted')
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('document_not_found');
    await this.#dependencies.wake(toDocumentRecord(row));
  }
}

function sourceKey(wanted: NewDocument, id: string): string {
  if (wanted.url !== undefined) return `url ${wanted.url}`;
  return wanted.fileName === undefined ? `id ${id}` : `file ${wanted.fileName}`;
}

function normaliseAudience(wanted: NewDocument): string[] {
  return [...new Set(wanted.audience ?? [])].sort();
}

function contentHash(wanted: NewDocument): string {
  const described = JSON.stringify([wanted.title, wanted.url, wanted.contentType, normaliseAudience(wanted)]);
  return createHash('sha256').update(described).update('\0').update(wanted.bytes).digest('hex');
}

interface WaitUntilIndexedOptions {
  readonly workspaceId: string;
  readonly documentId: string;
  /** After so long the document is returned as it is; ten minutes when absent. */
  readonly timeoutMs?: number;
  /** Hears of every look at the document. */
  readonly onLook?: (document: DocumentRecord) => void;
}

const firstPauseMs = 20;
const longestPauseMs = 250;

/**
 * The document once it is `indexed` or `failed`. Looks at the row, for any process may be the one that indexes it.
 * Throws `document_not_found` when it is deleted meanwhile.
 */
export async function waitUntilIndexed(
  documents: Documents,
  request: WaitUntilIndexedOptions,
): Promise<DocumentRecord> {
  const deadline = performance.now() + (request.timeoutMs ?? 600_000);
  let pauseMs = firstPauseMs;
  for (;;) {
    const document = await documents.get(request.workspaceId, request.documentId);
    request.onLook?.(document);
    if (document.status === 'indexed' || document.status === 'failed') return document;
    if (performance.now() + pauseMs > deadline) return document;
    await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  }
}
