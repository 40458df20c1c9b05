import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { Documents } from '../../knowledge/documents/documents.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { TextMeasure } from '../holds/measure-text.ts';
import { deleteDocument } from '../source-documents.ts';
import type { ListedItem, SourceReader } from '../source-reader.ts';
import type { RunCounts } from '../source-record.ts';
import { type HeldRun, RunLostError, type SourceRow } from './held-run.ts';
import { storeListing } from './list-items.ts';

export type ItemRow = Selectable<Tables['source_item']>;

/** A run with everything that reading its items needs. */
export interface OpenRun {
  readonly database: Kysely<Tables>;
  readonly documents: Pick<Documents, 'add' | 'delete'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly held: HeldRun;
  readonly source: SourceRow;
  readonly reader: SourceReader;
  readonly isWanted: (address: string) => boolean;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Never stored or logged. */
  readonly credentials: unknown;
}

/** A failure of the database, and not of the item. */
export class StoreError extends Error {}

export async function storing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof RunLostError) throw cause;
    throw new StoreError('storing an item failed', { cause });
  }
}

interface Settlement {
  readonly state: 'current' | 'skipped' | 'failed' | 'gone';
  /** In the counts of the run, a current item is one of these; the others are counted by their state. */
  readonly outcome?: 'added' | 'changed' | 'unchanged';
  readonly code?: string;
  readonly reason?: string;
  readonly documentId?: string;
  readonly title?: string | null;
  readonly validators?: unknown;
  readonly found?: readonly ListedItem[];
  /** The key of the item that replaces it. */
  readonly movedTo?: string | null;
  readonly measure?: TextMeasure;
  /** Set if its document is not replaced yet. */
  readonly isWithheld?: boolean;
  /** Done in the same transaction. */
  readonly work?: (transaction: Transaction<Tables>) => Promise<void>;
}

/** Stores the outcome of an item together with the counts of the run and the links that were found. */
export async function settle(open: OpenRun, row: ItemRow, settlement: Settlement): Promise<void> {
  const { held, source, isWanted } = open;
  const { state, outcome, code = null, reason = null, documentId, title, validators } = settlement;
  const { movedTo = null, measure, isWithheld = false, work } = settlement;
  const isCurrent = state === 'current' && !isWithheld;
  let isDeleted = false;
  await held.settle(async (transaction) => {
    const now = open.now();
    const { numUpdatedRows } = await transaction
      .updateTable('source_item')
      .set({
        ...{ state, code, reason, read_run: held.row.number, read_at: now, moved_to: movedTo },
        ...(isWithheld && { version: null }),
        ...measure,
        ...(isCurrent && { version: row.listed_version, validators: JSON.stringify(validators ?? null) }),
        ...(state === 'failed' && validators !== undefined && { validators: JSON.stringify(validators) }),
        ...(state === 'skipped' && { version: null, validators: null }),
        ...(state !== 'gone' && { missing_runs: 0 }),
        ...(documentId !== undefined && { document_id: documentId }),
        ...(title !== undefined && title !== null && { title }),
      })
      .where('source_id', '=', row.source_id)
      .where('key', '=', row.key)
      // A deletion by hand since then wins.
      .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
      .executeTakeFirst();
    isDeleted = numUpdatedRows === 0n;
    if (!isDeleted) await work?.(transaction);
    if (movedTo !== null) await passOn(transaction, row, movedTo);
    const hasClaimedVersions = open.reader.hasClaimedVersions === true;
    const listing = { run: held.row, source, isWanted, now, hasClaimedVersions };
    const stored = await storeListing(
      transaction,
      listing,
      { items: settlement.found ?? [] },
      { from: 'links' },
    );
    const counts: Partial<RunCounts> = sum(stored.counts, {
      [isDeleted ? 'skipped' : (outcome ?? state)]: 1,
    });
    const set = { unlisted: held.row.unlisted + stored.unlisted };
    return { counts, set: { ...set, ...(stored.isFull && { is_whole: false }) } };
  });
  if (isDeleted && documentId !== undefined)
    await deleteDocument(open.documents, source.workspace_id, documentId);
}

/** Items that moved here before move on with it. */
async function passOn(transaction: Transaction<Tables>, { source_id, key }: ItemRow, movedTo: string) {
  await transaction
    .updateTable('source_item')
    .set({ moved_to: movedTo })
    .where('source_id', '=', source_id)
    .where('moved_to', '=', key)
    .where('key', '<>', movedTo)
    .execute();
}

function sum(counts: Partial<RunCounts>, more: Readonly<Record<string, number>>): Partial<RunCounts> {
  const summed = new Map(Object.entries(counts));
  for (const [name, by] of Object.entries(more)) summed.set(name, (summed.get(name) ?? 0) + by);
  return Object.fromEntries(summed);
}
