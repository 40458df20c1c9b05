/** The step after a reply. `next`: the next conversation of the list opens. */
export type Ending = 'stay' | NextEnding;

/** Those of the second button and its key; the person chooses which. */
export const nextEndings = ['resolve-next', 'next', 'resolve'] as const;
export type NextEnding = (typeof nextEndings)[number];

export const endings: Readonly<Record<Ending, { readonly resolves: boolean; readonly opensNext: boolean }>> =
  {
    stay: { resolves: false, opensNext: false },
    next: { resolves: false, opensNext: true },
    resolve: { resolves: true, opensNext: false },
    'resolve-next': { resolves: true, opensNext: true },
  };

const storageKey = 'parley-send-next';
let chosen: NextEnding | null = null;

/** The choice of this device. */
export function readNextEnding(): NextEnding {
  if (chosen !== null) return chosen;
  try {
    const stored = localStorage.getItem(storageKey);
    return nextEndings.find((each) => each === stored) ?? 'resolve-next';
  } catch {
    return 'resolve-next';
  }
}

export function storeNextEnding(ending: NextEnding): void {
  chosen = ending;
  try {
    localStorage.setItem(storageKey, ending);
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}
