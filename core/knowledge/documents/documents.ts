import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Page, PageRequest } from '../../base/pagination.ts';
import { type Actor, operatorActor } from '../../contract/actor.ts';
import { keysetPage } from '../../storage/keyset-page.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { WakeDocument } from '../indexing/ingest-jobs.ts';
import { type DocumentUse, findUse, pageByUse, useOrders } from '../use/document-use.ts';
import { type DocumentRecord, type documentStatuses, toDocumentRecord } from './document.ts';
import {
  auditDocument,
  contentHash,
  type DocumentSource,
  queueRevision,
  refuseRevision,
} from './document-revision.ts';

export interface NewDocument extends DocumentSource {
  readonly workspaceId: string;
  /** The actor for the audit log; `operator` by default. */
  readonly actor?: Actor | undefined;
  /** The item of a source that it is: it is known by it, and not by its URL or file name. */
  readonly item?: { readonly sourceId: string; readonly key: string } | undefined;
}

/** The title of a document without any name. */
export const UNTITLED = 'Untitled';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Wakes a worker after a document that needs indexing was stored. */
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
    const stored = await eventTransaction(this.#dependencies, (transaction) =>
      this.addWithin(transaction, wanted),
    );
    if (stored.status === 'queued') await this.#dependencies.wake(stored);
    return stored;
  }

  /** The same within a transaction. The caller wakes a worker after the commit. */
  async addWithin(transaction: Transaction<Tables>, wanted: NewDocument): Promise<DocumentRecord> {
    const document = await this.#claimRow(transaction, wanted);
    const isSame = document.contentHash === contentHash(wanted) && document.status !== 'failed';
    if (isSame && wanted.refusal === undefined) return document;
    const at = this.#dependencies.clock.now();
    const store = wanted.refusal === undefined ? queueRevision : refuseRevision;
    const changed = await store(transaction, document, { source: wanted, now: at });
    const audit =
      document.wantedRevision === 0
        ? ({ action: 'document_added' } as const)
        : ({ action: 'document_changed', fields: ['content'] } as const);
    await auditDocument(transaction, changed, { ...audit, actor: wanted.actor ?? operatorActor, at });
    return changed;
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
        source_id: wanted.item?.sourceId ?? null,
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

  /** Returns a page of the documents without curated answers, last changed first. Throws `invalid_cursor`. */
  async list(
    workspaceId: string,
    { q, status, audience, sourceId, sort = 'updated', ...page }: PageRequest & DocumentFilters,
  ): Promise<Page<ListedDocument>> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    let query = database
      .selectFrom('document')
      .where('workspace_id', '=', workspaceId)
      .where('status', '<>', 'deleted')
      .where(isNoAnswer);
    if (q !== undefined && q !== '') query = query.where(contains(['title', 'url', 'file_name'], q));
    if (status !== undefined) query = query.where('status', '=', status);
    if (audience === ANY_READER) query = query.where(sql<boolean>`audience = '{}'`);
    else if (audience !== undefined) query = query.where(sql<boolean>`${audience} = any(audience)`);
    if (sourceId !== undefined) query = query.where('source_id', '=', sourceId);
    const list = JSON.stringify(['documents', workspaceId, q, status, audience, sourceId, sort]);
    const { items, nextCursor } =
      sort === 'updated'
        ? await keysetPage(query.selectAll('document'), { list, latest: 'updated_at' }, page)
        : await pageByUse(query, { list, order: useOrders[sort], now }, page);
    const use = await findUse(
      database,
      items.map(({ id }) => id),
      now,
    );
    const listed = items.map((row) => ({ ...toDocumentRecord(row), use: use.get(row.id) ?? unused }));
    return { items: listed, nextCursor };
  }

  /** Counts the documents of a workspace, without curated answers, by status, and adds up the passages and bytes of all. */
  async count(workspaceId: string): Promise<DocumentCounts> {
    const rows = await this.#dependencies.database
      .selectFrom('document')
      .select([
        'status',
        sql<number>`count(*)::int`.as('documents'),
        sql<number>`coalesce(sum(chunk_count), 0)::int`.as('chunks'),
        sql<number>`coalesce(sum(byte_count), 0)::float8`.as('bytes'),
        sql<Date>`min(updated_at)`.as('oldest'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('status', '<>', 'deleted')
      .where(isNoAnswer)
      .groupBy('status')
      .execute();
    const total = (read: (row: (typeof rows)[number]) => number) =>
      rows.reduce((sum, row) => sum + read(row), 0);
    const ofStatus = (status: string) => rows.find((row) => row.status === status)?.documents ?? 0;
    const waiting = rows.filter(({ status }) => status === 'queued' || status === 'indexing');
    return {
      documents: total(({ documents }) => documents),
      queued: ofStatus('queued'),
      indexing: ofStatus('indexing'),
      indexed: ofStatus('indexed'),
      failed: ofStatus('failed'),
      chunks: total(({ chunks }) => chunks),
      bytes: total(({ bytes }) => bytes),
      oldestWaitingAt: waiting.map(({ oldest }) => oldest).sort((one, other) => +one - +other)[0] ?? null,
    };
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

  /**
   * Excludes the document from answers at once; a worker removes its chunks later. Until `restorableMs` have passed it
   * can be restored. Throws `document_not_found`.
   */
  async delete(workspaceId: string, id: string, options: DeleteOptions = {}): Promise<void> {
    const { database, wake } = this.#dependencies;
    const deleted = await database
      .transaction()
      .execute((transaction) => this.deleteWithin(transaction, { workspaceId, id }, options));
    // Maintenance queues the removal of one that could have been restored.
    if ((options.restorableMs ?? 0) === 0) await wake(deleted);
  }

  /** The same within a transaction. The caller wakes a worker after the commit. */
  async deleteWithin(
    transaction: Transaction<Tables>,
    { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
    { actor = operatorActor, restorableMs = 0, bySource = false }: DeleteOptions = {},
  ): Promise<DocumentRecord> {
    const at = this.#dependencies.clock.now();
    const undo = sql<string>`jsonb_build_object('status', status, 'revision', revision, 'source_key', source_key)`;
    const row = await transaction
      .updateTable('document')
      .set({ status: 'deleted', revision: -1, source_key: `deleted ${id}` })
      .$if(restorableMs > 0, (query) =>
        query.set({ undo, restorable_until: new Date(at.getTime() + restorableMs) }),
      )
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '<>', 'deleted')
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw new AppError('document_not_found');
    const document = toDocumentRecord(row);
    await auditDocument(transaction, document, { action: 'document_deleted', actor, at });
    if (!bySource) await excludeItem(transaction, document);
    return document;
  }
}

/** Curated answers are listed apart. */
const isNoAnswer = sql<boolean>`origin is distinct from 'curated'`;

/** Stands for documents that everybody may read, in the filter by audience. */
export const ANY_READER = '*';

export interface DocumentFilters {
  /** Part of the title, URL or file name. */
  readonly q?: string | undefined;
  readonly status?: (typeof documentStatuses)[number] | undefined;
  /** A tag, or ANY_READER. */
  readonly audience?: string | undefined;
  readonly sourceId?: string | undefined;
  /** Last changed first by default. */
  readonly sort?: (typeof documentOrders)[number] | undefined;
}

export const documentOrders = ['updated', 'answers', 'disliked'] as const;

const unused: DocumentUse = { answers: 0, rated: 0, disliked: 0 };

interface ListedDocument extends DocumentRecord {
  readonly use: DocumentUse;
}

export interface DocumentCounts extends Readonly<Record<(typeof documentStatuses)[number], number>> {
  readonly documents: number;
  readonly chunks: number;
  readonly bytes: number;
  /** Since when the document waits whose content is not in the index for the longest time. Null if none waits. */
  readonly oldestWaitingAt: Date | null;
}

interface DeleteOptions {
  readonly actor?: Actor | undefined;
  readonly restorableMs?: number;
  /** Set if the source has lost the item; otherwise its runs leave the item out from now on. */
  readonly bySource?: boolean;
}

/** Lets no run bring back a document that somebody deleted. */
async function excludeItem(
  transaction: Transaction<Tables>,
  { id, workspaceId, sourceId }: DocumentRecord,
): Promise<void> {
  if (sourceId === null) return;
  await transaction
    .updateTable('source_item')
    .set({
      state: 'skipped',
      code: 'deleted_by_hand',
      reason: 'Its document was deleted by hand, so runs leave it out.',
    })
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId)
    .where('document_id', '=', id)
    .execute();
}

function contains(columns: readonly string[], text: string) {
  const pattern = `%${text.replaceAll('\\', '\\\\').replaceAll('%', '\\%').replaceAll('_', '\\_')}%`;
  const matches = columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`);
  return sql<boolean>`(${sql.join(matches, sql` or `)})`;
}

/** Identifies the document of an item. The key is hashed, because an index has no room for long addresses. */
export function itemKey({ sourceId, key }: { readonly sourceId: string; readonly key: string }): string {
  return `source ${sourceId} ${createHash('sha256').update(key).digest('hex')}`;
}

function sourceKey(wanted: NewDocument, id: string): string {
  if (wanted.item !== undefined) return itemKey(wanted.item);
  if (wanted.url !== undefined) return `url ${wanted.url}`;
  return wanted.fileName === undefined ? `id ${id}` : `file ${wanted.fileName}`;
}

interface WaitUntilIndexedOptions {
  readonly workspaceId: string;
  readonly documentId: string;
  /** Afterwards the document is returned in whatever state it has; ten minutes by default. */
  readonly timeoutMs?: number;
  /** Receives the document after every poll. */
  readonly onLook?: (document: DocumentRecord) => void;
}

const INITIAL_POLL_MS = 20;
const MAX_POLL_MS = 250;

/**
 * Returns the document once it is `indexed` or `failed`. It polls its row, because any process may be indexing it.
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
