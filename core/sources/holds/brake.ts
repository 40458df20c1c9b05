/** The changes that a run would make to its source, in numbers of documents. */
export interface RunEffect {
  /** Those that the source had before. */
  readonly documents: number;
  readonly removed: number;
  readonly changed: number;
  /** Changed documents that lose more than half of their text. */
  readonly shrunk: number;
  /** Changed documents that become the same text: the largest group of them. */
  readonly alike: number;
}

export const brakeRules = ['pages_gone', 'pages_shrunk', 'pages_alike'] as const;
export type BrakeRule = (typeof brakeRules)[number];

interface Limit {
  readonly count: (effect: RunEffect) => number;
  /** Fewer are never held. */
  readonly least: number;
  /** A run is held if it changes more than this share of the documents. */
  readonly share: number;
}

/** A person can look through ten pages, also if they are all of a small source, so the brake does not apply. */
const LEAST = 10;

const limits: Readonly<Record<BrakeRule, Limit>> = {
  // A site that is tidied up loses a section, which is seldom a fifth of it. A botched deployment, a move to another
  // host or a sign-in in front of a help centre loses most.
  pages_gone: { count: ({ removed }) => removed, least: LEAST, share: 0.2 },
  // A redesign that a script draws leaves a shell of each page. Some pages are shortened at any time, so more are allowed.
  pages_shrunk: { count: ({ shrunk }) => shrunk, least: LEAST, share: 0.3 },
  // The site shows a sign-in, an error or a notice in place of each page, with status 200. It may be longer than a
  // short page was.
  pages_alike: { count: ({ alike }) => alike, least: LEAST, share: 0.3 },
};

/** Returns the rules by which a run is implausible; none if its changes can be published. */
export function judgeRun(effect: RunEffect): readonly BrakeRule[] {
  return brakeRules.filter((rule) => {
    const { count, least, share } = limits[rule];
    return count(effect) >= least && count(effect) > share * effect.documents;
  });
}

/** A page has shrunk if it loses more than half of a text that was more than a line. */
const SMALLEST_TEXT = 100;

export function isShrunk({
  before,
  after,
}: {
  readonly before: number | null;
  readonly after: number;
}): boolean {
  return before !== null && before >= SMALLEST_TEXT && after < before / 2;
}
