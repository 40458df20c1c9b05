import { useSyncExternalStore } from 'react';
import type { InboxRow } from '../../../../api/queries/inbox.ts';

/** A change that the server has not confirmed: the row with it; null once it is deleted. */
type Edit = (row: InboxRow) => InboxRow | null;

/** A change that failed and was taken back. */
export interface Trouble {
  readonly text: string;
  readonly retry: () => void;
}

interface Edits {
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  readonly troubles: ReadonlyMap<string, Trouble>;
}

let state: Edits = { edits: new Map(), troubles: new Map() };
const listeners = new Set<() => void>();

function change(next: Partial<Edits>): void {
  state = { ...state, ...next };
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRowEdits(): Edits {
  return useSyncExternalStore(subscribe, () => state);
}

/**
 * Shows rows with a change at once. Returns the function that ends it: once the server shows the change, or has
 * refused it.
 */
export function editRows(ids: readonly string[], edit: Edit): () => void {
  const edits = new Map(state.edits);
  const troubles = new Map(state.troubles);
  for (const id of ids) {
    edits.set(id, [...(edits.get(id) ?? []), edit]);
    troubles.delete(id);
  }
  change({ edits, troubles });
  return () => {
    const left = new Map(state.edits);
    for (const id of ids) {
      const others = (left.get(id) ?? []).filter((each) => each !== edit);
      if (others.length === 0) left.delete(id);
      else left.set(id, others);
    }
    change({ edits: left });
  };
}

/** Shows in the rows that a change failed. */
export function tellTrouble(ids: readonly string[], trouble: Trouble): void {
  change({ troubles: new Map([...state.troubles, ...ids.map((id) => [id, trouble] as const)]) });
}

/** Tries the failed change of a row again. */
export function retryRow(id: string): void {
  const trouble = state.troubles.get(id);
  if (trouble === undefined) return;
  change({ troubles: new Map([...state.troubles].filter(([, each]) => each !== trouble)) });
  trouble.retry();
}

/** The row with all its unconfirmed changes. */
export function withEdits(row: InboxRow, { edits }: Edits): InboxRow | null {
  let edited: InboxRow | null = row;
  for (const edit of edits.get(row.id) ?? []) edited = edited && edit(edited);
  return edited;
}
