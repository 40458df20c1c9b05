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
  /** Set if the document is known to be unreadable before it is read; it is then stored as `failed`. */
  readonly refusal?: { readonly code: string; readonly reason: string } | undefined;
}

/** The title of a document without any name. */
export const UNTITLED = 'Untitled';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Called after a document that needs indexing was stored. */
  readonly wake: WakeDocument;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/** The documents of a workspace. Rows are the source of truth about pending indexing; the queue only wakes workers. */
export class Documents {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a document for indexing. A document with the same URL (or, without a URL, the same file name) is replaced;
   * its previous revision keeps answering until the new one is fully indexed. Unchanged content is not indexed again.
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
        title: wanted.title ?? wanted.fileName ?? wanted.url ?? UNTITLED,
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

  /** Returns a document that is not deleted. Throws `document_not_found`. */
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

  /** Excludes the document from answers at once; a worker removes its chunks later. Throws `document_not_found`. */
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
  /** Afterwards the document is returned in whatever state it has; ten minutes by default. */
  readonly timeoutMs?: number;
  /** Called with the document after every poll. */
  readonly onLook?: (document: DocumentRecord) => void;
}

const INITIAL_POLL_MS = 20;
const MAX_POLL_MS = 250;

/**
 * Returns the document once it is `indexed` or `failed`. Polls its row, because any process may be indexing it.
 * Throws `document_not_found` if the document is deleted meanwhile.
 */
export async function waitUntilIndexed(
  documents: Documents,
  request: WaitUntilIndexedOptions,
): Promise<DocumentRecord> {
  const deadline = performance.now() + (request.timeoutMs ?? 600_000);
  let pauseMs = INITIAL_POLL_MS;
  for (;;) {
    const document = await documents.get(request.workspaceId, request.documentId);
    request.onLook?.(document);
    if (document.status === 'indexed' || document.status === 'failed') return document;
    if (performance.now() + pauseMs > deadline) return document;
    await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, MAX_POLL_MS);
  }
}
