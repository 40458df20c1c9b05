import { sql } from 'kysely';
import { rejectOnAbort } from '../../base/async.ts';
import { FetchError } from '../../base/http-client.ts';
import type { Json } from '../../contract/account.ts';
import { excludedReason, movedReason } from '../preview/preview.ts';
import { missingReason } from '../source-documents.ts';
import {
  ItemError,
  type ItemOrigin,
  itemOrigins,
  type KnownItem,
  type ReadResult,
  SourceError,
} from '../source-reader.ts';
import { withoutSecrets } from '../source-tools.ts';
import { RunLostError } from './held-run.ts';
import { type ItemRow, type OpenRun, StoreError, settle, storing } from './settle-item.ts';
import { storeContent } from './store-content.ts';

/** The timeout is longer than any request of a reader. */
const LONGEST_READING_MS = 180_000;

/**
 * Returns the next item that the run has listed and not read. Items with a document come first: if one has moved, the page
 * that replaces it is not read before that is known. Those with a new version are the first of them, then those nearest to the start come.
 * Items that failed for a moment come once more at the end. With `keys`, it is one of those.
 */
export function findWaiting(
  { database, held }: OpenRun,
  { keys, except = [] }: { readonly keys?: readonly string[]; readonly except?: readonly string[] } = {},
): Promise<ItemRow | undefined> {
  const { source_id, number } = held.row;
  return database
    .selectFrom('source_item')
    .$if(keys !== undefined, (query) => query.where(sql<boolean>`key = any(${keys}::text[])`))
    .selectAll()
    .where('source_id', '=', source_id)
    .where('listed_run', '=', number)
    .where(sql<boolean>`read_run is distinct from listed_run`)
    .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
    .where(sql<boolean>`key <> all(${[...except]}::text[])`)
    .orderBy(sql`retried_run is not distinct from listed_run`)
    .orderBy(sql`document_id is null`)
    .orderBy(sql`version is not distinct from listed_version`)
    .orderBy('depth')
    .orderBy('key')
    .limit(1)
    .executeTakeFirst();
}

/** Reads one item and stores the outcome. Throws a SourceError if the whole source cannot be read. */
export async function readItem(open: OpenRun, row: ItemRow): Promise<void> {
  if (!open.isWanted(row.url ?? row.key) && !isStart(open, row)) {
    return settle(open, row, { state: 'skipped', code: 'excluded', reason: excludedReason });
  }
  return readItemResult(open, row, (item) => open.reader.read(item));
}

/** Stores what became of an item by what `read` returns or throws. */
export async function readItemResult(
  open: OpenRun,
  row: ItemRow,
  read: (item: KnownItem) => Promise<ReadResult>,
): Promise<void> {
  let result: ReadResult;
  try {
    result = await withinLimit(open.signal, read(toKnownItem(row, open)));
    if (isMissing(open, row) && (result.kind === 'content' || result.kind === 'unchanged')) {
      return await storing(settle(open, row, { state: 'gone', code: 'missing', reason: missingReason }));
    }
    if (result.kind === 'content') return await storeContent(open, row, result);
    if (result.kind === 'unchanged') return await settleUnchanged(open, row);
  } catch (error) {
    open.signal.throwIfAborted();
    const failure = toFailure(open, row, error);
    const isLater = PASSING.test(failure.code) && row.retried_run !== open.held.row.number;
    return isLater ? retryLater(open, row) : settle(open, row, { state: 'failed', ...failure });
  }
  if (result.kind === 'gone') {
    const code = result.isFinal === true ? 'gone_for_good' : 'gone';
    return settle(open, row, { state: 'gone', code, reason: goneReason });
  }
  if (result.kind === 'skipped') {
    const { code, reason, found = [] } = result;
    return settle(open, row, { state: 'skipped', code, reason, found });
  }
  const { to } = result;
  const place = { depth: row.depth, ...(isOrigin(row.origin) && { origin: row.origin }) };
  const found = [{ ...place, ...to }];
  const movedTo = open.isWanted(to.url ?? to.key) ? to.key : null;
  return settle(open, row, { state: 'skipped', code: 'moved', reason: movedReason(to), found, movedTo });
}

/** Failures that may be over before the run is. */
const PASSING = /^(?:http_5\d\d|timed_out|host_unreachable)$/;

function retryLater({ held }: OpenRun, { source_id: sourceId, key }: ItemRow): Promise<void> {
  return held.settle(async (transaction) => {
    await transaction
      .updateTable('source_item')
      .set({ retried_run: held.row.number })
      .where('source_id', '=', sourceId)
      .where('key', '=', key)
      .execute();
    return {};
  });
}

/** An item that a complete list does not name: its content is not wanted, only whether it still exists. */
function isMissing({ reader, held, isCutting = false }: OpenRun, { named_run }: ItemRow): boolean {
  return !isCutting && reader.isComplete && held.row.is_whole && named_run !== held.row.number;
}

/** The start of a website is read for its links, whatever the patterns say. */
function isStart({ reader }: OpenRun, { depth }: ItemRow): boolean {
  return depth === 0 && !reader.isComplete;
}

export function toKnownItem(
  { key, url, title, listed_version, depth, origin, validators, document_id, code }: ItemRow,
  { held, isCutting = false }: OpenRun,
): KnownItem {
  const isFull = held.row.is_full && !isCutting;
  return {
    key,
    depth,
    ...(url !== null && { url }),
    ...(title !== null && { title }),
    ...(listed_version !== null && { version: listed_version }),
    ...(isOrigin(origin) && { origin }),
    // Without a document, everything has to be read again, unless it was too large.
    validators: (document_id === null && code !== 'too_large') || isFull ? null : toJson(validators),
  };
}

function isOrigin(text: string | null): text is ItemOrigin {
  return itemOrigins.some((one) => one === text);
}

/** The column holds JSON only. */
export function toJson(value: unknown): Json {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value;
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object') return null;
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, part]) => [name, toJson(part)]));
}

/** Awaits a reader, but no longer than the lease of the run, and not for ever. */
export function withinLimit<Value>(signal: AbortSignal, reading: Promise<Value>): Promise<Value> {
  return rejectOnAbort(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_READING_MS)]))(reading);
}

/** Throws errors that do not concern the item alone. */
function toFailure(
  { credentials, log, held }: OpenRun,
  { key }: ItemRow,
  error: unknown,
): { readonly code: string; readonly reason: string; readonly validators?: unknown } {
  if (error instanceof SourceError || error instanceof RunLostError || error instanceof StoreError)
    throw error;
  if (error instanceof ItemError || error instanceof FetchError) {
    const validators = error instanceof ItemError ? error.validators : undefined;
    return { code: error.code, reason: withoutSecrets(error.message, credentials), validators };
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { code: 'timed_out', reason: 'It was not read in time.' };
  }
  log.warn({ err: error, run: held.row.id, item: key }, 'reading an item failed');
  return { code: 'internal_error', reason: 'It could not be read because of a server error. See its log.' };
}

const goneReason =
  'It is listed, but does not exist any more. Its document is removed if the next run does not find it either.';

async function settleUnchanged(open: OpenRun, row: ItemRow): Promise<void> {
  if (row.document_id === null) throw new ItemError('not_read', 'The source sent no content. Run it again.');
  await storing(settle(open, row, { state: 'current', outcome: 'unchanged', validators: row.validators }));
}
