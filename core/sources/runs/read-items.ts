import { type Kysely, type Selectable, sql } from 'kysely';
import { rejectOnAbort } from '../../base/async.ts';
import { FetchError } from '../../base/http-client.ts';
import type { Logger } from '../../base/log.ts';
import type { Json } from '../../contract/account.ts';
import { namedActor } from '../../contract/actor.ts';
import { type Documents, itemKey } from '../../knowledge/documents/documents.ts';
import { DEFAULT_LOADING_LIMITS } from '../../knowledge/loaders/loader.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { excludedReason, movedReason } from '../preview.ts';
import { deleteDocument, removeDocuments } from '../source-documents.ts';
import {
  ItemError,
  type KnownItem,
  type ListedItem,
  type ReadContent,
  type ReadResult,
  SourceError,
  type SourceReader,
} from '../source-reader.ts';
import type { RunCounts } from '../source-record.ts';
import { withoutSecrets } from '../source-tools.ts';
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

/** The name of sources in the audit log of documents. */
export const sourceActor = namedActor('source');

/** Longer than any request of a reader may take. */
const LONGEST_READING_MS = 180_000;
const { maxFileBytes } = DEFAULT_LOADING_LIMITS;

/** Returns the next item that the run has listed and not read, nearest to the start first. */
export function findWaiting({ database, held }: OpenRun): Promise<ItemRow | undefined> {
  const { source_id, number } = held.row;
  return database
    .selectFrom('source_item')
    .selectAll()
    .where('source_id', '=', source_id)
    .where('listed_run', '=', number)
    .where(sql<boolean>`read_run is distinct from listed_run`)
    .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
    .orderBy('depth')
    .orderBy('key')
    .limit(1)
    .executeTakeFirst();
}

/** Reads one item and stores what became of it. Throws a SourceError if the whole source cannot be read. */
export async function readItem(open: OpenRun, row: ItemRow): Promise<void> {
  if (!open.isWanted(row.url ?? row.key) && !isStart(open, row)) {
    return settle(open, row, { state: 'skipped', code: 'excluded', reason: excludedReason });
  }
  let result: ReadResult;
  try {
    result = await withinLimit(open.signal, open.reader.read(toKnownItem(row)));
    if (result.kind === 'content') return await storeContent(open, row, result);
    if (result.kind === 'unchanged') return await settleUnchanged(open, row);
  } catch (error) {
    open.signal.throwIfAborted();
    return settle(open, row, { state: 'failed', ...toFailure(open, row, error) });
  }
  if (result.kind === 'gone') return settle(open, row, { state: 'gone', code: 'gone', reason: goneReason });
  if (result.kind === 'skipped') {
    const { code, reason, found = [] } = result;
    return settle(open, row, { state: 'skipped', code, reason, found });
  }
  const { to } = result;
  const found = [{ ...to, depth: to.depth ?? row.depth }];
  return settle(open, row, { state: 'skipped', code: 'moved', reason: movedReason(to), found });
}

/** The start of a website is read for its links, whatever the patterns say. */
function isStart({ reader }: OpenRun, { depth }: ItemRow): boolean {
  return depth === 0 && !reader.isComplete;
}

function toKnownItem({
  key,
  url,
  title,
  listed_version,
  depth,
  validators,
  document_id,
}: ItemRow): KnownItem {
  return {
    key,
    depth,
    ...(url !== null && { url }),
    ...(title !== null && { title }),
    ...(listed_version !== null && { version: listed_version }),
    // Without a document, everything has to be read again.
    validators: document_id === null ? null : toJson(validators),
  };
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

/** Awaits a reader, but no longer than the run is held, and not for ever. */
export function withinLimit<Value>(signal: AbortSignal, reading: Promise<Value>): Promise<Value> {
  return rejectOnAbort(AbortSignal.any([signal, AbortSignal.timeout(LONGEST_READING_MS)]))(reading);
}

/** Throws errors that are not about the item alone. */
function toFailure(
  { credentials, log, held }: OpenRun,
  { key }: ItemRow,
  error: unknown,
): { readonly code: string; readonly reason: string } {
  if (error instanceof SourceError || error instanceof RunLostError || error instanceof StoreError)
    throw error;
  if (error instanceof ItemError || error instanceof FetchError) {
    return { code: error.code, reason: withoutSecrets(error.message, credentials) };
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { code: 'timed_out', reason: 'It was not read in time.' };
  }
  log.warn({ err: error, run: held.row.id, item: key }, 'reading an item failed');
  return { code: 'internal_error', reason: 'It could not be read because of a server error. See its log.' };
}

/** A failure of the database, and not of the item. */
class StoreError extends Error {}

async function storing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof RunLostError) throw cause;
    throw new StoreError('storing an item failed', { cause });
  }
}

const goneReason =
  'It does not exist any more. Its document is removed if the next run does not find it either.';

async function settleUnchanged(open: OpenRun, row: ItemRow): Promise<void> {
  if (row.document_id === null) throw new ItemError('not_read', 'The source sent no content. Run it again.');
  await storing(settle(open, row, { state: 'current', outcome: 'unchanged', validators: row.validators }));
}

async function storeContent(open: OpenRun, row: ItemRow, content: ReadContent): Promise<void> {
  const { found = [] } = content;
  const url = content.url ?? row.url ?? undefined;
  if (!open.isWanted(url ?? row.key)) {
    return storing(settle(open, row, { state: 'skipped', code: 'excluded', reason: excludedReason, found }));
  }
  if (content.bytes.byteLength > maxFileBytes) throw tooLarge;
  await storing(addDocument(open, row, content));
}

const tooLarge = new ItemError(
  'too_large',
  `It is larger than ${Math.floor(maxFileBytes / 2 ** 20)} MB. Split it into smaller pages, or exclude it.`,
);

async function addDocument(open: OpenRun, row: ItemRow, content: ReadContent): Promise<void> {
  const { source, documents } = open;
  const before = await findDocument(open, row);
  const document = await documents.add({
    ...{ workspaceId: source.workspace_id, actor: sourceActor, origin: 'source' },
    item: { sourceId: source.id, key: row.key },
    bytes: content.bytes,
    title: toTitle(content.title ?? row.title),
    url: toAddress(content.url ?? row.url),
    contentType: content.contentType || undefined,
    fileName: content.fileName,
    audience: toAudience(content.audience) ?? source.audience,
  });
  const isSame = before?.wanted_revision === document.wantedRevision;
  const outcome = row.document_id === null ? 'added' : isSame ? 'unchanged' : 'changed';
  await settle(open, row, {
    ...{ state: 'current', outcome, documentId: document.id, found: content.found ?? [] },
    validators: content.validators ?? null,
    title: document.titleGiven ? document.title : null,
  });
}

function findDocument({ database, source }: OpenRun, { key }: ItemRow) {
  return database
    .selectFrom('document')
    .select('wanted_revision')
    .where('workspace_id', '=', source.workspace_id)
    .where('source_key', '=', itemKey({ sourceId: source.id, key }))
    .executeTakeFirst();
}

function toTitle(title: string | null): string | undefined {
  const short = Array.from(title?.trim() ?? '')
    .slice(0, 500)
    .join('');
  return short === '' ? undefined : short;
}

/** Readers are shown web addresses only, of a length that can be stored. */
function toAddress(address: string | null): string | undefined {
  const url = URL.parse(address ?? '');
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  return isWeb && Buffer.byteLength(url.href) <= 2_000 ? url.href : undefined;
}

/** Tags that are too many or too long limit the document to nobody, and not to everybody. */
function toAudience(tags: readonly string[] | undefined): readonly string[] | undefined {
  return tags?.map((tag) => tag.slice(0, 64)).slice(0, 50);
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
}

/** Stores the outcome of an item together with the counts of the run and the links that were found. */
async function settle(open: OpenRun, row: ItemRow, settlement: Settlement): Promise<void> {
  const { held, source, isWanted } = open;
  const { state, outcome, code = null, reason = null, documentId, title, validators = null } = settlement;
  const isCurrent = state === 'current';
  let isDeleted = false;
  await held.settle(async (transaction) => {
    const now = open.now();
    const { numUpdatedRows } = await transaction
      .updateTable('source_item')
      .set({
        ...{ state, code, reason, read_run: held.row.number, read_at: now },
        ...(isCurrent && { version: row.listed_version, validators: JSON.stringify(validators) }),
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
    const listing = { run: held.row, source, isWanted, now };
    const stored = await storeListing(
      transaction,
      listing,
      { items: settlement.found ?? [] },
      { from: 'links' },
    );
    const counts: Partial<RunCounts> = sum(stored.counts, {
      [isDeleted ? 'skipped' : (outcome ?? state)]: 1,
    });
    return { counts, set: stored.isFull ? { is_whole: false } : {} };
  });
  if (isDeleted && documentId !== undefined)
    await deleteDocument(open.documents, source.workspace_id, documentId);
  if (state === 'skipped' && row.document_id !== null) await removeDocuments(open, 'skipped');
}

function sum(counts: Partial<RunCounts>, more: Readonly<Record<string, number>>): Partial<RunCounts> {
  const summed = new Map(Object.entries(counts));
  for (const [name, by] of Object.entries(more)) summed.set(name, (summed.get(name) ?? 0) + by);
  return Object.fromEntries(summed);
}
