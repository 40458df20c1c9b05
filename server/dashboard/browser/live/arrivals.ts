/** Rows of a view that are compared. */
export const comparedRows = 50;

/**
 * Tells which views have received a conversation that was not in them before. Counts cannot tell this: a conversation
 * that enters while another leaves does not change them.
 */
export class Arrivals {
  readonly #before = new Map<string, readonly string[]>();

  /**
   * Compares the ids of the first `comparedRows` of a view, latest activity first. Returns whether one is new; the
   * first call returns false.
   */
  hasNew(view: string, ids: readonly string[]): boolean {
    const before = this.#before.get(view);
    this.#before.set(view, ids);
    if (before === undefined) return false;
    const known = new Set(before);
    // In a longer view, rows move up from below when others leave.
    const end = before.length < comparedRows ? ids.length : ids.findLastIndex((id) => known.has(id));
    return ids.slice(0, Math.max(end, 0)).some((id) => !known.has(id));
  }
}
