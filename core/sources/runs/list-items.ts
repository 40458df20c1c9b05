import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { excludedReason } from '../preview/preview.ts';
import type { ListedItem, SkippedItem } from '../source-reader.ts';
import type { RunCounts } from '../source-record.ts';
import type { SourceRow } from './held-run.ts';
import { carryParts, skipParts } from './item-parts.ts';
import type { RunRow } from './run-queue.ts';

/** Longer keys do not fit into an index. */
const MOST_KEY_CHARACTERS = 1_000;
const MOST_KEY_BYTES = 2_000;
const MOST_TEXT_CHARACTERS = 2_000;
const ROWS_PER_STATEMENT = 500;
/** Addresses of one path that differ in their parameters only: filters, sort orders, and sessions by names of their own. */
const MOST_VARIANTS = 50;

export interface ListingRun {
  readonly run: RunRow;
  readonly source: SourceRow;
  readonly isWanted: (address: string) => boolean;
  readonly now: Date;
  /** Whether versions are only claims of a website about its pages. */
  readonly hasClaimedVersions: boolean;
}

interface Listing {
  readonly items: readonly ListedItem[];
  readonly leftOut?: readonly SkippedItem[] | undefined;
}

interface ListingOptions {
  /**
   * `list`: an excluded address is stored, as part of the report. `links`: it is dropped, because a site links to
   * many. `start`: it is read for its links.
   */
  readonly from: 'list' | 'links' | 'start';
}

interface Stored {
  readonly counts: Partial<RunCounts>;
  /** Items that the list of the source does not name. */
  readonly unlisted: number;
  /** Whether the source has more items than it may. */
  readonly isFull: boolean;
}

/** Stores the items that a run has found. Items with the version of their last reading are settled at once. */
export async function storeListing(
  transaction: Transaction<Tables>,
  listing: ListingRun,
  { items, leftOut = [] }: Listing,
  { from }: ListingOptions,
): Promise<Stored> {
  const skipped = new Map(leftOut.map((item) => [item.key, item]));
  const wanted = new Map<string, ListedItem>();
  for (const item of items) {
    if (from === 'start' || listing.isWanted(item.url ?? item.key)) wanted.set(item.key, item);
    else if (from === 'list') {
      skipped.set(item.key, { ...item, code: 'excluded', reason: excludedReason });
    }
  }
  for (const [key, { url }] of wanted) {
    if (isUsableKey(key)) continue;
    wanted.delete(key);
    skipped.set(key, { key, ...(url !== undefined && { url }), ...keyTooLong });
  }
  const { run, source } = listing;
  const known = await findListed(transaction, run, [...wanted.keys(), ...skipped.keys()]);
  await noteNamed(
    transaction,
    run,
    [...wanted.keys()].filter((key) => known.has(key)),
  );
  const named = items.filter(({ key, origin }) => origin === 'list' && known.has(key));
  const promoted = await noteListed(
    transaction,
    run,
    named.map(({ key }) => key),
  );
  const found = [...wanted.values()].filter(({ key }) => !known.has(key));
  const fresh = from === 'links' ? await withoutVariants(transaction, run, found) : found;
  const kept = fresh.slice(0, Math.max(0, source.max_items - run.listed));
  const left = [...skipped.values()]
    .filter(({ key }) => !known.has(key) && !wanted.has(key))
    .slice(0, Math.max(0, source.max_items - run.skipped));
  for (const part of chunks(kept)) await upsertItems(transaction, listing, part);
  const settled = await settleUnchanged(transaction, listing, kept);
  for (const part of chunks(left)) await upsertSkipped(transaction, listing, part);
  const carried = await carryParts(transaction, run, settled.unchanged);
  const dropped = await skipParts(
    transaction,
    run,
    left.map(({ key }) => storedKey(key)),
  );
  return {
    counts: {
      listed: kept.length + carried.listed,
      unchanged: settled.unchanged.length + carried.unchanged,
      skipped: left.length + settled.skipped + carried.skipped + dropped,
    },
    unlisted: kept.filter(({ origin }) => origin === 'beyond').length - promoted,
    isFull: kept.length < fresh.length,
  };
}

/** Leaves out further variants of a path that has enough of them, in whatever slice or run they were found. */
async function withoutVariants(
  transaction: Transaction<Tables>,
  { source_id: sourceId, workspace_id: workspaceId }: RunRow,
  items: readonly ListedItem[],
): Promise<readonly ListedItem[]> {
  const paths = new Set(items.flatMap(({ key }) => (key.includes('?') ? [pathOf(key)] : [])));
  if (paths.size === 0) return items;
  const rows = await transaction
    .selectFrom('source_item')
    .select(['key', sql<string>`split_part(key, '?', 1)`.as('path')])
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId)
    .where(sql<boolean>`strpos(key, '?') > 0`)
    .where(sql<boolean>`split_part(key, '?', 1) = any(${[...paths]}::text[])`)
    .where('state', '<>', 'gone')
    .execute();
  const variants = new Map<string, Set<string>>();
  for (const { key, path } of rows) variants.set(path, (variants.get(path) ?? new Set()).add(key));
  return items.filter(({ key }) => {
    if (!key.includes('?')) return true;
    const known = variants.get(pathOf(key)) ?? new Set();
    if (known.size >= MOST_VARIANTS) return known.has(key);
    variants.set(pathOf(key), known.add(key));
    return true;
  });
}

function pathOf(key: string): string {
  return key.split('?', 1)[0] ?? '';
}

const keyTooLong = { code: 'key_too_long', reason: 'Its address is longer than 1,000 characters.' };

function isUsableKey(key: string): boolean {
  return key !== '' && key.length <= MOST_KEY_CHARACTERS && Buffer.byteLength(key) <= MOST_KEY_BYTES;
}

function chunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const parts: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += ROWS_PER_STATEMENT) {
    parts.push(items.slice(at, at + ROWS_PER_STATEMENT));
  }
  return parts;
}

/** Returns the keys that this run has listed already. */
async function findListed(
  transaction: Transaction<Tables>,
  run: RunRow,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await transaction
    .selectFrom('source_item')
    .select('key')
    .where('source_id', '=', run.source_id)
    .where('listed_run', '=', run.number)
    .where(sql<boolean>`key = any(${keys.map(storedKey)}::text[])`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Marks items that were listed from memory as named by the source. */
async function noteNamed(
  transaction: Transaction<Tables>,
  run: RunRow,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await transaction
    .updateTable('source_item')
    .set({ named_run: run.number })
    .where('source_id', '=', run.source_id)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where(sql<boolean>`named_run is distinct from ${run.number}`)
    .execute();
}

/** A feed that was read later names what a link led to. Returns the number of those. */
async function noteListed(
  transaction: Transaction<Tables>,
  run: RunRow,
  keys: readonly string[],
): Promise<number> {
  if (keys.length === 0) return 0;
  const result = await transaction
    .updateTable('source_item')
    .set({ origin: 'list' })
    .where('source_id', '=', run.source_id)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where('origin', '=', 'beyond')
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** A key that is too long still names its item in the report. */
function storedKey(key: string): string {
  return isUsableKey(key) ? key : `${Array.from(key).slice(0, 400).join('')}…`;
}

function shorten(text: string | undefined): string | null {
  return text === undefined ? null : Array.from(text).slice(0, MOST_TEXT_CHARACTERS).join('');
}

async function upsertItems(
  transaction: Transaction<Tables>,
  { run }: ListingRun,
  items: readonly ListedItem[],
): Promise<void> {
  await transaction
    .insertInto('source_item')
    .values(
      items.map(({ key, url, title, version, depth = 0, origin = null, partOf = null }) => ({
        ...{ source_id: run.source_id, key, workspace_id: run.workspace_id, part_of: partOf },
        ...{ url: shorten(url), title: shorten(title), listed_version: shorten(version) || null, depth },
        ...{ state: 'waiting', listed_run: run.number, named_run: run.number, origin },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['source_id', 'key']).doUpdateSet({
        url: sql`coalesce(excluded.url, source_item.url)`,
        title: sql`coalesce(excluded.title, source_item.title)`,
        listed_version: sql`excluded.listed_version`,
        depth: sql`excluded.depth`,
        origin: sql`excluded.origin`,
        part_of: sql`excluded.part_of`,
        listed_run: sql`excluded.listed_run`,
        named_run: sql`excluded.named_run`,
      }),
    )
    .execute();
}

/** Settles the items that need no reading: those of the same version, and those that a person deleted. */
async function settleUnchanged(
  transaction: Transaction<Tables>,
  listing: ListingRun,
  items: readonly ListedItem[],
): Promise<{ readonly unchanged: readonly string[]; readonly skipped: number }> {
  if (items.length === 0) return { unchanged: [], skipped: 0 };
  const { run } = listing;
  const rows = await transaction
    .updateTable('source_item')
    .set({ read_run: run.number, missing_runs: 0 })
    .where('source_id', '=', run.source_id)
    .where(sql<boolean>`key = any(${items.map(({ key }) => key)}::text[])`)
    .where((where) =>
      where.or([
        where('code', '=', 'deleted_by_hand'),
        where.and([
          where('state', '=', 'current'),
          where('document_id', 'is not', null),
          sql<boolean>`version = listed_version`,
          isExcused(listing),
        ]),
      ]),
    )
    .returning(['key', 'state'])
    .execute();
  const unchanged = rows.filter(({ state }) => state === 'current').map(({ key }) => key);
  return { unchanged, skipped: rows.length - unchanged.length };
}

const WEEK_MINUTES = 7 * 24 * 60;

/**
 * Whether an unchanged version spares an item its reading. One that a website only claims does so for less than a week:
 * each run reads its share of the items, so that the requests are spread, and those whose week would be over before the
 * next run. Nothing is spared in a full run, by a site that was caught, and where nobody knows when the next run is.
 */
function isExcused({ run, source, now, hasClaimedVersions }: ListingRun) {
  if (run.is_full) return sql<boolean>`false`;
  if (!hasClaimedVersions) return sql<boolean>`true`;
  const { schedule_minutes: minutes, lastmod_distrusted_at: distrustedAt } = source;
  const shares = minutes === null ? 1 : Math.floor(WEEK_MINUTES / minutes);
  if (distrustedAt !== null || minutes === null || shares < 2) return sql<boolean>`false`;
  const oldest = new Date(now.getTime() - (WEEK_MINUTES - minutes) * 60_000);
  return sql<boolean>`(
    read_at > ${oldest}::timestamptz
    and (hashtext(key) & 2147483647) % ${shares}::int <> ${run.number % shares}::int
  )`;
}

async function upsertSkipped(
  transaction: Transaction<Tables>,
  { run, now }: ListingRun,
  items: readonly SkippedItem[],
): Promise<void> {
  const rows = new Map(items.map((item) => [storedKey(item.key), item]));
  await transaction
    .insertInto('source_item')
    .values(
      [...rows].map(([key, { url, code, reason, partOf = null }]) => ({
        ...{ source_id: run.source_id, key, workspace_id: run.workspace_id, url: shorten(url) },
        part_of: partOf,
        ...{ state: 'skipped', code, reason: shorten(reason) },
        ...{ listed_run: run.number, named_run: run.number, read_run: run.number, read_at: now },
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['source_id', 'key']).doUpdateSet({
        ...{
          state: sql`excluded.state`,
          listed_run: sql`excluded.listed_run`,
          named_run: sql`excluded.named_run`,
          read_run: sql`excluded.read_run`,
          moved_to: null,
        },
        ...{ read_at: sql`excluded.read_at`, version: null, validators: null, missing_runs: 0 },
        part_of: sql`excluded.part_of`,
        // A deletion by hand lasts, also if the item becomes wanted again.
        code: sql`case when source_item.code = 'deleted_by_hand' then source_item.code else excluded.code end`,
        reason: sql`case when source_item.code = 'deleted_by_hand' then source_item.reason else excluded.reason end`,
      }),
    )
    .execute();
}

/**
 * Adds what earlier runs found to the list of a source that does not name everything: only reading tells whether it is
 * still there. Returns their number, and that of those beyond the list.
 */
export async function listKnownItems(
  transaction: Transaction<Tables>,
  run: RunRow,
): Promise<{ readonly listed: number; readonly unlisted: number }> {
  const rows = await addToList(transaction, run)
    .where('listed_run', '<>', run.number)
    .where(sql<boolean>`(state <> 'gone' or document_id is not null)`)
    .returning('origin')
    .execute();
  return { listed: rows.length, unlisted: rows.filter(({ origin }) => origin === 'beyond').length };
}

/**
 * Adds items that an incomplete list leaves in doubt: items from before a change of the settings, and those that were
 * gone already. Reading shows whether they still exist. Returns their number.
 */
export async function listDoubtfulItems(transaction: Transaction<Tables>, run: RunRow): Promise<number> {
  const result = await addToList(transaction, run)
    .where(sql<boolean>`listed_run is distinct from ${run.number}`)
    .where(sql<boolean>`(listed_run is null or state = 'gone')`)
    .where(sql<boolean>`(document_id is not null or state in ('failed', 'waiting'))`)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/**
 * Adds items that a complete list does not name any more: reading shows whether they still exist. Items from before a
 * change of the settings are left out. Returns the number.
 */
export async function listMissingItems(transaction: Transaction<Tables>, run: RunRow): Promise<number> {
  const result = await addToList(transaction, run)
    .where('listed_run', '<>', run.number)
    .where('document_id', 'is not', null)
    .where('state', 'in', ['current', 'failed', 'gone'])
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Adds items that the list did not name, to be read whatever their version. A deletion by hand lasts. */
function addToList(transaction: Transaction<Tables>, run: RunRow) {
  return transaction
    .updateTable('source_item')
    .set({ listed_run: run.number, listed_version: null })
    .where('workspace_id', '=', run.workspace_id)
    .where('source_id', '=', run.source_id)
    .where(sql<boolean>`code is distinct from 'deleted_by_hand'`);
}
