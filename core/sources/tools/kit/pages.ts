interface InnerPage<Value> {
  readonly values: readonly Value[];
  readonly next: string | null;
}

/**
 * Requests the pages of a list that belongs to one record, such as its comments: at most `most` of them, since a record
 * must be read in one go.
 */
export async function collectPages<Value>(
  most: number,
  load: (cursor: string | null) => Promise<InnerPage<Value>>,
): Promise<readonly Value[]> {
  const found: Value[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < most; page += 1) {
    const { values, next } = await load(cursor);
    found.push(...values);
    if (next === null || next === cursor) break;
    cursor = next;
  }
  return found;
}
