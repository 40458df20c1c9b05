import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction, type UpdateObject } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { openRunStates, type RunCounts } from '../source-record.ts';
import type { RunRow } from './run-queue.ts';

/** A run whose process died continues after this time. */
const LEASE_MS = 45_000;
const RENEWAL_MS = 5_000;
/** The maximum number of concurrent slices of a workspace, so that others get their turns. */
const SLICES_PER_WORKSPACE = 2;
const TURN_PAUSE_MS = 1_000;
/** Any number that no other advisory lock of the product uses. */
const LOCK_NUMBER = 7_273_951;

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

export type SourceRow = Selectable<Tables['source']>;

export type Reservation =
  | { readonly kind: 'held'; readonly run: HeldRun; readonly source: SourceRow }
  /** The job is outdated. */
  | { readonly kind: 'nothing-to-do' }
  /** It is not this run's turn. */
  | { readonly kind: 'later'; readonly slice: number; readonly delayMs: number };

/** Another process has the run, or it was cancelled. */
export class RunLostError extends Error {}

/** Takes the lease of a run for one slice. */
export function reserveRun(
  { database, clock }: Stores,
  { runId, slice }: { readonly runId: string; readonly slice: number },
): Promise<Reservation> {
  return database.transaction().execute(async (transaction): Promise<Reservation> => {
    const found = await transaction
      .selectFrom('source_run')
      .select('workspace_id')
      .where('id', '=', runId)
      .executeTakeFirst();
    if (found === undefined) return { kind: 'nothing-to-do' };
    await sql`select pg_advisory_xact_lock(${LOCK_NUMBER}, hashtext(${found.workspace_id}))`.execute(
      transaction,
    );
    const row = await transaction
      .selectFrom('source_run')
      .selectAll()
      .where('id', '=', runId)
      .where('state', 'in', [...openRunStates])
      .where('slice', '=', slice)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return { kind: 'nothing-to-do' };
    const now = clock.now();
    const wait = Math.max(row.wake_at.getTime(), row.reserved_until?.getTime() ?? 0) - now.getTime();
    if (wait > 0) return { kind: 'later', slice, delayMs: wait + TURN_PAUSE_MS };
    if (await isCrowded(transaction, row, now)) return { kind: 'later', slice, delayMs: TURN_PAUSE_MS };
    const source = await transaction
      .selectFrom('source')
      .selectAll()
      .where('id', '=', row.source_id)
      .executeTakeFirstOrThrow();
    const holder = randomUUID();
    const taken = await transaction
      .updateTable('source_run')
      .set({
        ...{ state: 'running', holder, reserved_until: new Date(now.getTime() + LEASE_MS) },
        ...{ started_at: row.started_at ?? now, code: null, reason: null },
      })
      .where('id', '=', runId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { kind: 'held', run: new HeldRun({ database, clock }, taken, holder), source };
  });
}

async function isCrowded(transaction: Transaction<Tables>, row: RunRow, now: Date): Promise<boolean> {
  const others = await transaction
    .selectFrom('source_run')
    .select('id')
    .where('workspace_id', '=', row.workspace_id)
    .where('state', '=', 'running')
    .where('reserved_until', '>', now)
    .where('is_partial', '=', row.is_partial)
    .limit(SLICES_PER_WORKSPACE)
    .execute();
  return others.length >= SLICES_PER_WORKSPACE;
}

type RunChange = UpdateObject<Tables, 'source_run'>;

/** A run that this process holds. Every change checks that it still does. */
export class HeldRun {
  readonly #stores: Stores;
  readonly #holder: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #row: RunRow;

  constructor(stores: Stores, row: RunRow, holder: string) {
    this.#stores = stores;
    this.#row = row;
    this.#holder = holder;
    this.#timer = setInterval(() => this.#renew(), RENEWAL_MS).unref();
  }

  /** The row after the last change. */
  get row(): RunRow {
    return this.#row;
  }

  /** Aborts when the run was cancelled or another process holds it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Makes changes in one transaction with those of the run. Throws a RunLostError, and then changes nothing. */
  async settle(
    work: (transaction: Transaction<Tables>) => Promise<{ counts?: Partial<RunCounts>; set?: RunChange }>,
  ): Promise<void> {
    const { database, clock } = this.#stores;
    this.#row = await database.transaction().execute(async (transaction) => {
      // The run is locked first, so that a cancellation waits for this change, or this change sees it.
      await this.#lock(transaction);
      const { counts = {}, set = {} } = await work(transaction);
      const sums = Object.entries(counts).map(([name, by]) => [name, sql`${sql.ref(name)} + ${by}`]);
      return transaction
        .updateTable('source_run')
        .set({
          reserved_until: new Date(clock.now().getTime() + LEASE_MS),
          ...Object.fromEntries(sums),
          ...set,
        })
        .where('id', '=', this.#row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** Releases the run. `set` has its new state; false if the run was lost. */
  async release(set: RunChange): Promise<boolean> {
    clearInterval(this.#timer);
    const row = await this.#stores.database
      .updateTable('source_run')
      .set({ holder: null, reserved_until: null, ...set })
      .where('id', '=', this.#row.id)
      .where('holder', '=', this.#holder)
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined) this.#row = row;
    return row !== undefined;
  }

  async #lock(transaction: Transaction<Tables>): Promise<void> {
    const row = await transaction
      .selectFrom('source_run')
      .select('id')
      .where('id', '=', this.#row.id)
      .where('holder', '=', this.#holder)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new RunLostError('the run is not held any more');
  }

  #renew(): void {
    const { database, clock } = this.#stores;
    database
      .updateTable('source_run')
      .set({ reserved_until: new Date(clock.now().getTime() + LEASE_MS) })
      .where('id', '=', this.#row.id)
      .where('holder', '=', this.#holder)
      .executeTakeFirst()
      .then(
        ({ numUpdatedRows }) => {
          if (numUpdatedRows === 0n) this.#lost.abort(new RunLostError('the run is not held any more'));
        },
        () => {
          // The next change of the run meets the same fault, and reports it.
        },
      );
  }
}
