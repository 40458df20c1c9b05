import type { components } from './api-types.ts';

interface Page {
  readonly pagination: components['schemas']['Pagination'];
}

/** Yields the items of all pages, and reads the next page only when it is needed. */
export async function* readPages<P extends Page, Item>(
  read: (cursor: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* itemsOf(page);
    cursor = page.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
