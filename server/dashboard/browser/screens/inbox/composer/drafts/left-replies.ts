import type { Outgoing } from '../outbox.ts';

/** A reply that the page was sending when it was left. */
export interface LeftReply extends Outgoing {
  /** The person who sends it. */
  readonly person: string;
}

/** Of the tab: another one goes on with its own replies. */
const key = 'parley-left-replies';

/** Keeps replies for the next page of this tab. The last page may not have heard what became of them. */
export function keepLeft(replies: readonly LeftReply[]): void {
  try {
    if (replies.length > 0) sessionStorage.setItem(key, JSON.stringify(replies));
  } catch {
    // Storage is switched off or full: the server keeps the draft until it has the reply.
  }
}

/** Takes the replies that the page before was sending. */
export function takeLeft(): readonly LeftReply[] {
  try {
    const stored = sessionStorage.getItem(key);
    if (stored === null) return [];
    sessionStorage.removeItem(key);
    const replies: readonly LeftReply[] = JSON.parse(stored);
    return replies.map((reply) => ({ ...reply, state: 'sending' }));
  } catch {
    // Storage is switched off, or somebody wrote to it.
    return [];
  }
}
