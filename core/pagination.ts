export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Cuts a page out of `rows`, of which one more than `limit` was fetched to see whether there are further ones.
 * `cursorAfter` makes the cursor that leads on from the last row shown.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => string,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { items, nextCursor: isLast ? null : cursorAfter(last) };
}
