import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction, type UpdateObject } from 'kysely';
import { runInBackground } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type DocumentRecord, toDocumentRecord } from '../documents/document.ts';

/** A document whose worker died is taken by another one after this time. */
const LEASE_SECONDS = 30;
const RENEWAL_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

interface NextDocument {
  /** The process that asks. */
  readonly processId: string;
  /** How many documents of one workspace it may hold. */
  readonly mostOfWorkspace: number;
}

type LeaseRow = Selectable<Tables['indexing_lease']>;

/** The lease ended, or a newer revision or the deletion of the document intervened: this worker has to leave it alone. */
export class LeaseLostError extends Error {}

/**
 * Leases a document, or the one that is next (`lease_document` chooses). Returns null if there is nothing to do or
 * another worker has it.
 */
export async function holdDocument(
  stores: Stores,
  wanted: { readonly documentId: string } | NextDocument,
): Promise<HeldDocument | null> {
  const holder = randomUUID();
  const isNext = 'processId' in wanted;
  const { rows } = await sql<LeaseRow>`
    select * from lease_document(
      ${isNext ? null : wanted.documentId}::text, ${isNext ? wanted.processId : null}::text, ${holder}::text,
      ${stores.clock.now()}::timestamptz, ${LEASE_SECONDS}::float8, ${isNext ? wanted.mostOfWorkspace : 1}::int
    )
  `.execute(stores.database);
  const [lease] = rows;
  if (lease === undefined) return null;
  const row = await stores.database
    .selectFrom('document')
    .selectAll()
    .where('number', '=', lease.document_number)
    // One that was deleted since the statement before can still be restored: its lease ends by itself.
    .where('undo', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : new HeldDocument(stores, lease, toDocumentRecord(row));
}

/** Lets documents that a dead process held continue at once. Call it only if no other process uses the database. */
export async function releaseDocuments(database: Kysely<Tables>): Promise<void> {
  await database
    .updateTable('indexing_lease')
    .set({ holder: null, held_until: sql<Date>`clock_timestamp()` })
    .execute();
}

/** Returns whether `holdDocument` may find a document. One that can still be restored, or of a full workspace, does not matter. */
export async function isDocumentDue(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (
      select from document left join indexing_lease lease on lease.document_number = document.number
      where status in ('queued', 'indexing', 'deleted') and undo is null
        and (lease.held_until is null or lease.held_until <= clock_timestamp())
    ) or exists (select from indexing_lease where held_until <= clock_timestamp()) as "isDue"
  `.execute(database);
  return rows[0]?.isDue ?? false;
}

/** A document that this worker holds. Each change checks in its transaction that the worker still does. */
/** Whether a document waits, is indexed, or is being removed. */
export async function hasUnfinishedDocuments(database: Kysely<Tables>): Promise<boolean> {
  const row = await database
    .selectFrom('document')
    .select('id')
    .where('status', 'in', ['queued', 'indexing', 'deleted'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export class HeldDocument {
  readonly document: DocumentRecord;
  readonly #stores: Stores;
  readonly #holder: string | null;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #lease: LeaseRow;

  constructor(stores: Stores, lease: LeaseRow, document: DocumentRecord) {
    this.document = document;
    this.#stores = stores;
    this.#holder = lease.holder;
    this.#lease = lease;
    this.#timer = setInterval(() => {
      // The next change meets the same fault, and reports it.
      runInBackground(this.#renew(), () => {});
    }, RENEWAL_MS).unref();
  }

  /** The lease after the last change. */
  get lease(): LeaseRow {
    return this.#lease;
  }

  /** Aborted when the lease was lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Locks the lease until the end of the transaction, and counts what the transaction stores as progress. Throws a
   * LeaseLostError.
   */
  async require(
    transaction: Transaction<Tables>,
    set: {
      readonly passages?: number | null;
      readonly title?: string | null;
      readonly url?: string | null;
    } = {},
  ): Promise<void> {
    const row = await this.#change(transaction, { attempts: 0, ...set });
    if (row === undefined) throw new LeaseLostError('the document is not held any more');
    this.#lease = row;
  }

  /**
   * The same, and the revision must still be the wanted one. It locks the document first, as each change of it does.
   */
  async requireWanted(
    transaction: Transaction<Tables>,
    set: Parameters<HeldDocument['require']>[1] = {},
  ): Promise<void> {
    const row = await transaction
      .selectFrom('document')
      .select('number')
      .where('number', '=', this.document.number)
      .where('wanted_revision', '=', this.#lease.revision)
      .where('status', '=', 'indexing')
      .forShare()
      .executeTakeFirst();
    if (row === undefined) throw new LeaseLostError('another revision is wanted');
    await this.require(transaction, set);
  }

  /** Leaves the document to the next slice, of whichever worker. A slice that stored nothing does not count. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#change(this.#stores.database, {
      ...{ holder: null, attempts: sql<number>`greatest(0, attempts - 1)` },
      held_until: sql<Date>`clock_timestamp()`,
    });
  }

  /** Leaves the document after an error, for a time that doubles with each attempt. */
  async pause(): Promise<{ readonly attempts: number; readonly pauseMs: number }> {
    clearInterval(this.#timer);
    const row = await this.#change(this.#stores.database, {
      holder: null,
      held_until: sql<Date>`
        clock_timestamp() + make_interval(secs => ${FIRST_PAUSE_MS / 1_000}::float8 * power(2, greatest(0, attempts - 1)))`,
    });
    const attempts = row?.attempts ?? 0;
    return { attempts, pauseMs: FIRST_PAUSE_MS * 2 ** Math.max(0, attempts - 1) };
  }

  /** Nothing is left to do for this revision. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#stores.database
      .deleteFrom('indexing_lease')
      .where('document_number', '=', this.document.number)
      .where('holder', '=', this.#holder)
      .execute();
  }

  /** Changes the lease, and renews it unless `set` ends it. Undefined if it was lost. */
  #change(
    database: Kysely<Tables>,
    set: UpdateObject<Tables, 'indexing_lease'>,
  ): Promise<LeaseRow | undefined> {
    return database
      .updateTable('indexing_lease')
      .set({
        held_until: sql<Date>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)`,
        ...set,
      })
      .where('document_number', '=', this.document.number)
      .where('holder', '=', this.#holder)
      .returningAll()
      .executeTakeFirst();
  }

  async #renew(): Promise<void> {
    const row = await this.#change(this.#stores.database, {});
    const now = await this.#stores.database
      .selectFrom('document')
      .select(['wanted_revision', 'status'])
      .where('number', '=', this.document.number)
      .executeTakeFirst();
    const isDeletion = this.document.status === 'deleted';
    if (
      row === undefined ||
      now?.wanted_revision !== row.revision ||
      (now.status === 'deleted') !== isDeletion
    ) {
      this.#lost.abort(new LeaseLostError('the document is not held any more'));
    }
  }
}
