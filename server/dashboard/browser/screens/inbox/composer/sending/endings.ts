import { deviceChoice } from './device-choice.ts';

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

/** The choice of this device. */
export const nextEnding = deviceChoice('parley-send-next', nextEndings, 'resolve-next');
