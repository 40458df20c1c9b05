/** Of the tab: another one goes on with its own replies. */
const key = 'parley-left-replies';

/** Keeps replies for the next page of this tab. The last page may not have heard what became of them. */
export function keepLeft(replies: readonly object[]): void {
  try {
    if (replies.length > 0) sessionStorage.setItem(key, JSON.stringify(replies));
  } catch {
    // Storage is switched off or full: the server keeps the draft until it has the reply.
  }
}

/** Takes the replies that the page before was sending. */
export function takeLeft<Reply>(): readonly Reply[] {
  try {
    const stored = sessionStorage.getItem(key);
    if (stored === null) return [];
    sessionStorage.removeItem(key);
    return JSON.parse(stored);
  } catch {
    // Storage is switched off, or somebody wrote to it.
    return [];
  }
}
