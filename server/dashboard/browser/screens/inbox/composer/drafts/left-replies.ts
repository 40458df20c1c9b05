/** The key in the storage of the tab: another tab continues its own replies. */
const key = 'parley-left-replies';

/** Keeps replies for the next page of this tab. The last page may not have learned their outcome. */
export function keepLeft(replies: readonly object[]): void {
  try {
    if (replies.length > 0) sessionStorage.setItem(key, JSON.stringify(replies));
  } catch {
    // Storage is off or full. The server keeps the draft until it has the reply.
  }
}

/** Returns the replies that the previous page was sending, and removes them. */
export function takeLeft<Reply>(): readonly Reply[] {
  try {
    const stored = sessionStorage.getItem(key);
    if (stored === null) return [];
    sessionStorage.removeItem(key);
    return JSON.parse(stored);
  } catch {
    // Storage is off, or another program has written to it.
    return [];
  }
}
