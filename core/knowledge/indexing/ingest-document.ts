import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { placeSchema } from '../../contract/answer.ts';
import { isDatabaseFault, retryUntilDatabase } from '../../storage/sql-errors.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { Chunk } from '../chunk-document.ts';
import type { DocumentRecord } from '../documents/document.ts';
import { DocumentError } from '../documents/document-error.ts';
import { deleteUploads, loadUpload } from '../documents/document-upload.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { queueFactCheck } from '../facts/fact-checks.ts';
import type { DocumentReader } from '../read/document-reader.ts';
import { type HeldDocument, holdDocument, LeaseLostError } from './held-document.ts';
import { indexPassages } from './index-chunks.ts';
import { findServingModel } from './serving-model.ts';
import { buildVectorGraph, removeSomeChunks } from './write-chunks.ts';

export interface IngestDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  readonly reader: Pick<DocumentReader, 'read'>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
  /** Aborted when the process must stop; another process then continues the work. */
  readonly signal?: AbortSignal;
}

/**
 * `superseded`: a newer upload or the deletion of the document intervened, or another worker has taken it.
 * `unfinished`: the slice is over, or the process stops.
 */
type IngestOutcome = 'indexed' | 'removed' | 'failed' | 'superseded' | 'unfinished';

/** How long a worker works on a document until others have their turn. It ends with whichever is first. */
export interface Slice {
  readonly passages: number;
  readonly ms: number;
  /** Aborted when the process is about to stop: the slice ends after its current step. */
  readonly stopping?: AbortSignal;
}

const WHOLE: Slice = { passages: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };

/** An error that is the document's on the last of these attempts, if none of them stored anything. */
const MAX_ATTEMPTS = 5;
/** After this many attempts that ended with their processes, the document is taken for the cause. */
const MAX_LOST_ATTEMPTS = 20;

const serverFailure = {
  code: 'indexing_failed',
  reason:
    'Indexing failed several times because of a server error. Add the document again. The server log contains the cause.',
};

/** The result of a slice. */
interface Ingested {
  readonly documentId: string;
  readonly outcome: IngestOutcome;
  /** The number of passages that were written. */
  readonly passages: number;
  /** An error of the server. */
  readonly error?: unknown;
  /** Another attempt may follow after this time. */
  readonly pauseMs?: number;
}

/**
 * Works on the document that is next for one slice. Returns null if none is. Rejects if the database fails.
 *
 * A worker holds a document by a lease, so that no other works on it, and each transaction checks that it still does.
 * Each step that is done is stored: the passages that were read (`indexing_passage`), then batch by batch those that
 * are in the index (`chunk`). One statement publishes the revision, and the passages of the earlier one are removed. A
 * worker that takes the document later, after the slice or a crash, begins at the first step that is not done.
 */
export async function ingestNext(
  dependencies: IngestDependencies,
  next: { readonly processId: string; readonly mostOfWorkspace: number },
  slice: Slice,
): Promise<Ingested | null> {
  const held = await holdDocument(dependencies, next);
  return held === null ? null : new Ingestion(dependencies, held, slice).work();
}

/** Works on a document until its newest revision is in the index. Rejects with an error of the server. */
export async function ingestDocument(
  dependencies: IngestDependencies,
  documentId: string,
): Promise<IngestOutcome | 'nothing-to-do'> {
  const held = await holdDocument(dependencies, { documentId });
  if (held === null) return 'nothing-to-do';
  const { outcome, error } = await new Ingestion(dependencies, held, WHOLE).work();
  if (error !== undefined) throw error;
  return outcome;
}

class Ingestion {
  readonly #dependencies: IngestDependencies;
  readonly #held: HeldDocument;
  readonly #slice: Slice;
  readonly #signal: AbortSignal;
  readonly #startedAt = performance.now();
  readonly #requireLease: (transaction: Transaction<Tables>) => Promise<void>;
  #written = 0;

  constructor(dependencies: IngestDependencies, held: HeldDocument, slice: Slice) {
    const { signal } = dependencies;
    this.#dependencies = dependencies;
    this.#held = held;
    this.#slice = slice;
    this.#signal = signal === undefined ? held.lost : AbortSignal.any([signal, held.lost]);
    this.#requireLease = (transaction) => held.require(transaction);
  }

  async work(): Promise<Ingested> {
    const ended = await this.#run();
    return { documentId: this.#held.document.id, passages: this.#written, ...ended };
  }

  async #run(): Promise<Pick<Ingested, 'outcome' | 'error' | 'pauseMs'>> {
    const { signal = new AbortController().signal } = this.#dependencies;
    try {
      const outcome = await this.#advance();
      if (outcome === 'unfinished') await this.#held.release();
      else await this.#held.finish();
      return { outcome };
    } catch (error) {
      if (isDatabaseFault(error)) {
        // An outage is no attempt. The lease ends by itself if the process stops meanwhile.
        await retryUntilDatabase(() => this.#held.release(), signal);
        throw error;
      }
      if (error instanceof LeaseLostError || this.#held.lost.aborted || signal.aborted) {
        await this.#held.release();
        return { outcome: signal.aborted ? 'unfinished' : 'superseded' };
      }
      const { attempts, pauseMs } = await this.#held.pause();
      if (attempts < MAX_ATTEMPTS) return { outcome: 'unfinished', error, pauseMs };
      await recordIngestFailure(this.#dependencies, this.#held.document, serverFailure);
      return { outcome: 'failed', error, pauseMs };
    }
  }

  /** Does the steps that are not done yet, until the slice is over. */
  async #advance(): Promise<IngestOutcome> {
    const { document, lease } = this.#held;
    if (document.status === 'deleted') return this.#remove();
    if (document.status !== 'indexing') return this.#tidy(document.revision);
    try {
      if (lease.attempts > MAX_LOST_ATTEMPTS) return await this.#fail(serverFailure);
      if (lease.passages === null) {
        if (!(await this.#removeOthers(document.revision))) return 'unfinished';
        await this.#read();
        if (this.#isOver()) return 'unfinished';
      }
      return await this.#index();
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return this.#fail(error);
    }
  }

  #isOver(): boolean {
    const { passages, ms, stopping } = this.#slice;
    return (
      this.#written >= passages || performance.now() - this.#startedAt >= ms || stopping?.aborted === true
    );
  }

  /** Reads the revision and stores its passages, the last of them together with their number. */
  async #read(): Promise<void> {
    const { document } = this.#held;
    const { title, url, chunks } = await readRevision(this.#dependencies, document, this.#signal);
    const count = Math.max(1, Math.ceil(chunks.length / STORED_AT_ONCE));
    for (let part = 0; part < count; part += 1) {
      const some = chunks.slice(part * STORED_AT_ONCE, (part + 1) * STORED_AT_ONCE);
      await this.#dependencies.database.transaction().execute(async (transaction) => {
        const isLast = part === count - 1;
        await this.#held.requireWanted(transaction, isLast ? { passages: chunks.length, title, url } : {});
        if (part === 0) await deletePassages(transaction, document.number);
        await insertPassages(transaction, document.number, some);
      });
    }
  }

  async #index(): Promise<IngestOutcome> {
    const { database } = this.#dependencies;
    const { document, lease } = this.#held;
    const { workspaceId, wantedRevision: revision, audience } = document;
    const title = document.titleGiven ? document.title : (lease.title ?? document.title);
    const scopeId = await findOrCreateScope(database, workspaceId, audience);
    const embedder = await findServingModel(this.#dependencies, workspaceId);
    const { isDone } = await indexPassages(
      {
        ...{ database, embedder, signal: this.#signal },
        requireLease: (transaction) => this.#held.requireWanted(transaction),
      },
      { documentNumber: document.number, scopeId, revision, title },
      {
        ...{ workspaceId, total: lease.passages ?? 0 },
        isOver: (written) => {
          this.#written = written;
          return this.#isOver();
        },
      },
    );
    if (!isDone || !(await this.#publish(title, scopeId))) return 'unfinished';
    return this.#tidy(revision);
  }

  /** Returns false if passages are missing. */
  async #publish(title: string, scopeId: number): Promise<boolean> {
    const { document, lease } = this.#held;
    return eventTransaction(this.#dependencies, async (transaction) => {
      await this.#held.requireWanted(transaction);
      const { count } = await transaction
        .selectFrom('chunk')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('document_number', '=', document.number)
        .where('revision', '=', lease.revision)
        .executeTakeFirstOrThrow();
      if (count !== lease.passages) {
        await this.#held.require(transaction, { passages: null });
        return false;
      }
      await transaction
        .updateTable('document')
        .set({
          ...{ revision: lease.revision, scope_id: scopeId, title },
          // A change of the URL makes no new revision: the present one stays.
          url: sql<string | null>`coalesce(url, ${lease.url})`,
          ...{ chunk_count: count, status: 'indexed', progress: 100 },
          indexed_at: this.#dependencies.clock.now(),
        })
        .where('number', '=', document.number)
        .execute();
      await queueFactCheck(transaction, { documentNumber: document.number, revision: lease.revision });
      await deleteUploads(transaction, document.number);
      return true;
    });
  }

  async #fail(failure: { readonly code: string; readonly reason: string }): Promise<IngestOutcome> {
    const { document } = this.#held;
    await recordIngestFailure(this.#dependencies, document, failure);
    return (await this.#removeOthers(document.revision)) ? 'failed' : 'unfinished';
  }

  /** Removes what answers do not use of a document whose revision is published or has failed. */
  async #tidy(revision: number): Promise<IngestOutcome> {
    const { database } = this.#dependencies;
    if (!(await this.#removeOthers(revision))) return 'unfinished';
    const row = await database
      .selectFrom('document')
      .select('scope_id')
      .where('number', '=', this.#held.document.number)
      .executeTakeFirst();
    const scopeId = row?.scope_id ?? null;
    const isOver = () => this.#isOver();
    if (scopeId !== null && !(await buildVectorGraph(database, scopeId, undefined, isOver)))
      return 'unfinished';
    return 'indexed';
  }

  async #remove(): Promise<IngestOutcome> {
    const { database } = this.#dependencies;
    const { number } = this.#held.document;
    if (!(await this.#removeOthers(-1))) return 'unfinished';
    await database.deleteFrom('document').where('number', '=', number).execute();
    return 'removed';
  }

  /** Removes the passages of all revisions but one. Returns false if the slice is over before none is left. */
  async #removeOthers(keptRevision: number): Promise<boolean> {
    const { database } = this.#dependencies;
    const { number } = this.#held.document;
    const chunks = { documentNumber: number, keptRevision };
    while ((await removeSomeChunks(database, chunks, this.#requireLease)) > 0) {
      if (this.#isOver()) return false;
    }
    await database
      .transaction()
      .execute((transaction) =>
        this.#requireLease(transaction).then(() => deletePassages(transaction, number)),
      );
    return true;
  }
}

/** Passages stored per statement, few enough that answers do not wait for long. */
const STORED_AT_ONCE = 100;

async function deletePassages(transaction: Transaction<Tables>, documentNumber: number): Promise<void> {
  await transaction.deleteFrom('indexing_passage').where('document_number', '=', documentNumber).execute();
}

async function insertPassages(
  transaction: Transaction<Tables>,
  documentNumber: number,
  chunks: readonly Chunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  await transaction
    .insertInto('indexing_passage')
    .values(
      chunks.map(({ ordinal, headings, body, place }) => ({
        ...{ document_number: documentNumber, ordinal, headings: [...headings], body },
        place: place === null ? null : JSON.stringify(place),
      })),
    )
    .execute();
}

interface ReadRevision {
  readonly title: string | null;
  readonly url: string | null;
  readonly chunks: readonly Chunk[];
}

/**
 * Reads the upload of the wanted revision. Without one, the passages of the published revision are indexed anew, with
 * the document's present title and audience.
 */
async function readRevision(
  { database, reader }: IngestDependencies,
  { number, wantedRevision, revision, contentType, fileName, workspaceId }: DocumentRecord,
  signal: AbortSignal,
): Promise<ReadRevision> {
  const bytes = await loadUpload(database, { documentNumber: number, revision: wantedRevision });
  if (bytes !== null) {
    const { document, chunks } = await reader.read({ bytes, contentType, fileName }, { workspaceId, signal });
    return { title: document.title, url: document.url, chunks };
  }
  if (revision < 1)
    throw new AppError('internal_error', { detail: 'The content of the document is missing.' });
  const chunks = await database
    .selectFrom('chunk')
    .select(['ordinal', 'headings', 'body', 'place'])
    .where('document_number', '=', number)
    .where('revision', '=', revision)
    .orderBy('ordinal')
    .execute();
  const placed = chunks.map((chunk) => ({ ...chunk, place: placeSchema.nullable().parse(chunk.place) }));
  return { title: null, url: null, chunks: placed };
}

/**
 * Records `failed`; the upload stays for another attempt. It is also called after the last attempt with other errors,
 * so that no document stays `indexing` forever.
 */
async function recordIngestFailure(
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
