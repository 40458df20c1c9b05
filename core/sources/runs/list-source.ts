import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { FetchError } from '../../base/http-client.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type ListedPage, SourceError } from '../source-reader.ts';
import type { HeldRun } from './held-run.ts';
import { carryUnlisted, nothingCarried } from './item-parts.ts';
import { listKnownItems, storeListing } from './list-items.ts';
import { findWaiting, readItem, toJson, withinLimit } from './read-items.ts';
import type { RunRow } from './run-queue.ts';
import type { OpenRun } from './settle-item.ts';

/** Requests the next page of the list of a source and stores it. Throws a SourceError. */
export async function listNextPage(open: OpenRun, signal: AbortSignal): Promise<void> {
  const { reader, source, isWanted, now, held } = open;
  const run = held.row;
  const page = await requestPage(open, signal);
  if (page === null) return;
  const isStart = !reader.isComplete && run.list_cursor === null && page.items.length === 1;
  await held.settle(async (transaction) => {
    const hasClaimedVersions = reader.hasClaimedVersions === true;
    const listing = { run, source, isWanted, now: now(), hasClaimedVersions };
    const { counts, isFull } = await storeListing(transaction, listing, page, {
      from: isStart ? 'start' : 'list',
    });
    await storeGone(transaction, run, page.gone ?? []);
    const isEnd = page.next === null || isFull;
    const known =
      isEnd && !reader.isComplete ? await listKnownItems(transaction, run) : { listed: 0, unlisted: 0 };
    const isOfChanges = page.isOfChanges === true;
    const carried = isEnd && isOfChanges ? await carryUnlisted(transaction, run) : nothingCarried;
    return {
      counts: {
        ...counts,
        listed: (counts.listed ?? 0) + known.listed + carried.listed,
        unchanged: (counts.unchanged ?? 0) + carried.unchanged,
        skipped: (counts.skipped ?? 0) + carried.skipped,
      },
      set: {
        ...describePage(page),
        unlisted: run.unlisted + known.unlisted,
        ...(isEnd && { listed_at: now() }),
        ...(!isStart && page.items.length > 0 && { has_list: true }),
        ...((isFull || page.isCut === true) && { is_whole: false }),
      },
    };
  });
  if (reader.holdsListed === true) await readListed(open, page, signal);
}

function describePage({ next, isOfChanges, feed }: ListedPage) {
  return {
    list_cursor: next === null ? null : JSON.stringify(next),
    ...(isOfChanges === true && { lists_changes: true }),
    ...(feed !== undefined && { feed: JSON.stringify(feed) }),
  };
}

/** Null if the list has to begin anew. */
async function requestPage(open: OpenRun, signal: AbortSignal): Promise<ListedPage | null> {
  const { reader, held, source, log } = open;
  const run = held.row;
  const since = run.is_full ? null : toJson(source.feed);
  try {
    return await withinLimit(signal, reader.list(toJson(run.list_cursor), since));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SourceError && error.code === 'feed_expired') {
      await forgetFeed(open);
      return null;
    }
    if (error instanceof SourceError) throw error;
    if (error instanceof FetchError) throw new SourceError(error.code, error.message, { cause: error });
    log.error({ err: error, run: run.id }, 'listing a source failed');
    throw new SourceError('internal_error', 'The source could not be read because of a server error.', {
      cause: error,
    });
  }
}

/** The run lists everything, as the first one did. */
async function forgetFeed({ held, source }: OpenRun): Promise<void> {
  await held.settle(async (transaction) => {
    await transaction
      .updateTable('source')
      .set({ feed: null })
      .where('id', '=', source.id)
      .where('workspace_id', '=', source.workspace_id)
      .execute();
    return { set: { list_cursor: null, lists_changes: false, feed: null, is_full: true } };
  });
}

/** Items that a list of changes names as deleted: their documents go at the end of the run. */
async function storeGone(
  transaction: Transaction<Tables>,
  run: RunRow,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const reason = 'The tool names it as deleted.';
  await transaction
    .updateTable('source_item')
    .set({
      ...{ state: 'gone', code: 'gone_for_good', reason },
      ...{ listed_run: run.number, read_run: run.number, version: null, validators: null },
    })
    .where('workspace_id', '=', run.workspace_id)
    .where('source_id', '=', run.source_id)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where(sql<boolean>`code is distinct from 'deleted_by_hand'`)
    .execute();
}

/** Reads the items of a page of the list before the next one: the reader still holds what the tool said of them. */
async function readListed(open: OpenRun, { items }: ListedPage, signal: AbortSignal): Promise<void> {
  const keys = items.map(({ key }) => key);
  for (;;) {
    signal.throwIfAborted();
    const item = await findWaiting(open, { keys });
    if (item === undefined) return;
    await readItem(open, item);
    await yieldToOthers();
  }
}

/** Lets the next run ask for the changes after this one, which is finished and has left out nothing. */
export async function keepFeed(held: HeldRun): Promise<void> {
  const { feed, is_whole: isWhole, source_id: id, workspace_id: workspaceId } = held.row;
  if (feed === null || !isWhole) return;
  await held.settle(async (transaction) => {
    await transaction
      .updateTable('source')
      .set({ feed: JSON.stringify(feed) })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .execute();
    return {};
  });
}
