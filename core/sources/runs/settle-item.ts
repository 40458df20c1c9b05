import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { Documents } from '../../knowledge/documents/documents.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { TextMeasure } from '../holds/measure-text.ts';
import { addMoveTarget, leaveOutParts, settleNotice } from '../notices/notice-rows.ts';
import { deleteDocument } from '../source-documents.ts';
import type { ListedItem, SkippedItem, SourceReader } from '../source-reader.ts';
import type { RunCounts } from '../source-record.ts';
import { type HeldRun, RunLostError, type SourceRow } from './held-run.ts';
import { carryParts, skipParts } from './item-parts.ts';
import { type ListingRun, storeListing } from './list-items.ts';

export type ItemRow = Selectable<Tables['source_item']>;

/** A run with everything that reading its items needs. */
export interface OpenRun {
  readonly database: Kysely<Tables>;
  readonly documents: Pick<Documents, 'add' | 'delete'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly held: HeldRun;
  readonly source: SourceRow;
  readonly reader: SourceReader;
  readonly isWanted: (address: string) => boolean;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The credentials. They are never stored or logged. */
  readonly credentials: unknown;
  /** Set while stored pages are cut anew: no item is read then. */
  readonly isCutting?: boolean;
}

/** Returns the version that an item has after this step. A page that is only cut keeps that of its reading. */
export function versionAfter({ isCutting = false, held }: OpenRun, row: ItemRow): string | null {
  return isCutting && row.read_run !== held.row.number ? row.version : row.listed_version;
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
  /** The items that belong to it by this reading. Without them, its parts stay as they are. */
  readonly parts?: { readonly items: readonly ListedItem[]; readonly leftOut: readonly SkippedItem[] };
  /** The key of the item that replaces it. */
  readonly movedTo?: string | null;
  readonly measure?: TextMeasure;
  /** Set if its document has not been replaced yet. */
  readonly isWithheld?: boolean;
  /** Done in the same transaction. */
  readonly work?: (transaction: Transaction<Tables>) => Promise<void>;
}

/** Stores the outcome of an item together with the counts of the run and the links that were found. */
export async function settle(open: OpenRun, row: ItemRow, settlement: Settlement): Promise<void> {
  const { held, source, isCutting = false } = open;
  const { state, outcome, code = null, reason = null, documentId, title } = settlement;
  const { movedTo = null, measure, isWithheld = false, work } = settlement;
  const isCurrent = state === 'current' && !isWithheld;
  let isDeleted = false;
  await held.settle(async (transaction) => {
    const now = open.now();
    const { numUpdatedRows } = await transaction
      .updateTable('source_item')
      .set({
        ...{ state, code, reason, moved_to: movedTo },
        ...(!isCutting && { read_at: now }),
        // A whole run that goes meanwhile reads it in its own turn.
        ...(!isCutting && !held.row.is_partial && { read_run: held.row.number }),
        ...(isWithheld && { version: null }),
        ...measure,
        ...(isCurrent && { version: versionAfter(open, row) }),
        ...(state === 'skipped' && { version: null }),
        ...validatorsAfter(settlement, isCurrent),
        ...(state !== 'gone' && { missing_runs: 0 }),
        ...(documentId !== undefined && { document_id: documentId }),
        ...(title !== undefined && title !== null && { title }),
      })
      .where('source_id', '=', row.source_id)
      .where('key', '=', row.key)
      // A deletion by hand since then wins, and so does a reading of a run of changes.
      .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
      .where(sql<boolean>`read_at is not distinct from ${row.read_at}::timestamptz`)
      .executeTakeFirst();
    isDeleted = numUpdatedRows === 0n;
    // It stays on the list, and is read again.
    if (isDeleted && !(await isDeletedByHand(transaction, row))) {
      isDeleted = false;
      return {};
    }
    if (!isDeleted) await work?.(transaction);
    const outcomes = countsOf(open, isDeleted ? 'skipped' : (outcome ?? state));
    if (movedTo !== null) await passOn(transaction, row, movedTo);
    const more = await storeFound(transaction, open, { row, settlement, now });
    const set = { unlisted: held.row.unlisted + (more.unlisted ?? 0) };
    return { counts: sum(more.counts, outcomes), set: { ...set, ...(more.isFull && { is_whole: false }) } };
  });
  if (isDeleted && documentId !== undefined)
    await deleteDocument(open.documents, source.workspace_id, documentId);
}

/** A page that this run has read is counted already. */
function countsOf({ isCutting = false, held }: OpenRun, outcome: string): Readonly<Record<string, number>> {
  if (!isCutting) return { [outcome]: 1 };
  return held.row.is_cut ? { listed: 1, [outcome]: 1 } : {};
}

async function isDeletedByHand(transaction: Transaction<Tables>, { source_id, key }: ItemRow) {
  const row = await transaction
    .selectFrom('source_item')
    .select('code')
    .where('source_id', '=', source_id)
    .where('key', '=', key)
    .executeTakeFirst();
  return row === undefined || row.code === 'deleted_by_hand';
}

interface Settled {
  readonly row: ItemRow;
  readonly settlement: Settlement;
  readonly now: Date;
}

/** A page that was too large fails with what spares the next run to fetch it. */
function validatorsAfter({ state, validators }: Settlement, isCurrent: boolean) {
  if (state === 'skipped') return { validators: null };
  const isKept = isCurrent || (state === 'failed' && validators !== undefined);
  return isKept ? { validators: JSON.stringify(validators ?? null) } : {};
}

interface Stored {
  readonly counts: Partial<RunCounts>;
  /** Items that the list of the source does not name; none if absent. */
  readonly unlisted?: number;
  readonly isFull: boolean;
}

/** A run of changes follows no links, but a page that has moved, and leaves new attachments to the next whole run. */
async function storeFound(
  transaction: Transaction<Tables>,
  open: OpenRun,
  { row, settlement, now }: Settled,
): Promise<Stored> {
  const { held, source, isWanted, reader } = open;
  const { state, code = null, found = [], movedTo = null } = settlement;
  if (held.row.is_partial) {
    await settleNotice(transaction, held.row, { key: row.key, state, code, now });
    const target = movedTo === null ? undefined : found[0];
    const listed = await addMoveTarget(transaction, held.row, { target, now });
    const owner = row.key;
    const skipped = state === 'skipped' ? await leaveOutParts(transaction, held.row, { owner, now }) : 0;
    return { counts: { listed, skipped }, isFull: false };
  }
  const hasClaimedVersions = reader.hasClaimedVersions === true;
  const listing = { run: held.row, source, isWanted, now, hasClaimedVersions };
  const stored = await storeListing(transaction, listing, { items: found }, { from: 'links' });
  const parts = await settleParts(transaction, listing, { key: row.key, settlement, open });
  const isFull = stored.isFull || parts.isFull;
  return { counts: sum(stored.counts, parts.counts), unlisted: stored.unlisted, isFull };
}

interface Owner {
  readonly key: string;
  readonly settlement: Settlement;
  readonly open: OpenRun;
}

/** Lists, keeps or leaves out what belongs to an item. Only lists that name everything have such items. */
async function settleParts(
  transaction: Transaction<Tables>,
  listing: ListingRun,
  { key, settlement: { state, parts }, open }: Owner,
): Promise<Stored> {
  const { run } = listing;
  if (!open.reader.isComplete || state === 'gone') return { counts: {}, isFull: false };
  if (state === 'skipped') {
    return { counts: { skipped: await skipParts(transaction, run, [key]) }, isFull: false };
  }
  if (parts !== undefined) return storeListing(transaction, listing, parts, { from: 'list' });
  return { counts: await carryParts(transaction, run, [key]), isFull: false };
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
