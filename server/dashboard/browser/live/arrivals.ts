/** Rows of a view that are compared. */
export const comparedRows = 50;

/**
 * Tells which views have got a conversation that was not in them before. Their numbers do not tell: one that comes while
 * another leaves changes none.
 */
export class Arrivals {
  readonly #before = new Map<string, readonly string[]>();

  /** Takes the ids of the first `comparedRows` of a view, latest activity first. Returns whether one is new; the first time none is. */
  hasNew(view: string, ids: readonly string[]): boolean {
    const before = this.#before.get(view);
    this.#before.set(view, ids);
    if (before === undefined) return false;
    const known = new Set(before);
    // Of a longer view, rows move up from below when others leave.
    const end = before.length < comparedRows ? ids.length : ids.findLastIndex((id) => known.has(id));
    return ids.slice(0, Math.max(end, 0)).some((id) => !known.has(id));
  }
}
