import { useEffect, useState, useSyncExternalStore } from 'react';
import { isSame } from './schema-form/json-schema.ts';

/** The places of all forms with changes that are not saved, such as `ws_1/settings/answers/tiers`. */
let unsaved: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function mark(place: string, isUnsaved: boolean): void {
  if (unsaved.has(place) === isUnsaved) return;
  unsaved = new Set(isUnsaved ? [...unsaved, place] : [...unsaved].filter((each) => each !== place));
  if (unsaved.size > 0) window.addEventListener('beforeunload', askFirst);
  else window.removeEventListener('beforeunload', askFirst);
  for (const listener of [...listeners]) listener();
}

/** The browser asks before the page is closed or loaded again: the drafts go with it. */
function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a form at this place or below it has changes that are not saved. */
export function useIsUnsaved(place: string): boolean {
  const all = useSyncExternalStore(subscribe, () => unsaved);
  return all.has(place) || [...all].some((each) => each.startsWith(`${place}/`));
}

/** The drafts of a kind of form by their place. They last as long as the tab shows the dashboard. */
interface Drafts<Draft> {
  /** Undefined if there is none. */
  readonly read: (place: string) => Draft | undefined;
  readonly keep: (place: string, draft: Draft) => void;
  readonly forget: (place: string) => void;
}

export function createDrafts<Draft>(): Drafts<Draft> {
  const drafts = new Map<string, Draft>();
  return {
    read: (place) => drafts.get(place),
    keep: (place, draft) => {
      drafts.set(place, draft);
      mark(place, true);
    },
    forget: (place) => {
      drafts.delete(place);
      mark(place, false);
    },
  };
}

interface DraftOptions<Draft> {
  readonly drafts: Drafts<Draft>;
  readonly place: string;
  /** The value that the server has. */
  readonly stored: Draft;
}

/**
 * The state of a form of one setting, which is kept if the person leaves the page before they save. `save` sends it, and
 * keeps it if that fails. Give the component another key when `stored` changes.
 */
export function useKeptDraft<Draft>({ drafts, place, stored }: DraftOptions<Draft>) {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = drafts.read(place);
    return kept === undefined ? stored : kept;
  });
  const isUnsaved = !isSame(draft, stored);
  useEffect(() => {
    if (isUnsaved) drafts.keep(place, draft);
    else drafts.forget(place);
  }, [drafts, place, draft, isUnsaved]);
  return {
    draft,
    setDraft,
    isUnsaved,
    discard: () => setDraft(stored),
    save: (send: () => Promise<unknown>) => {
      drafts.forget(place);
      void send().catch(() => drafts.keep(place, draft));
    },
  };
}
