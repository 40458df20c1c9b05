/** How a text holds a word that is looked for by its parts. */
export interface FoundParts {
  /** 0 to 1. */
  readonly strength: number;
  readonly exact: boolean;
  /** Roughly which word of the text it is, -1 where it is absent or too little of it is there. */
  readonly position: number;
}

interface PartedWord {
  readonly surface: string;
  readonly terms: readonly string[];
}

/** A word of average length with its space: what turns a character position into a word position. */
const SPACED_LENGTH = 6;
const UNSPACED_LENGTH = 2;
/** A shorter word is found as a whole or not at all. */
const SHORTEST = 4;
/** From this share of its grams on, a word counts as standing where its first gram does. */
const PLACED = 0.6;
const ABSENT: FoundParts = { strength: 0, exact: false, position: -1 };

/** Finds a word by its grams. `padded` is the text's words, each with a space before and after. */
export function findGrams({ surface, terms }: PartedWord, padded: string): FoundParts {
  const whole = padded.indexOf(` ${surface} `);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / SPACED_LENGTH) };
  if (surface.length < SHORTEST) return ABSENT;
  let found = 0;
  let first = -1;
  for (const term of terms) {
    const place = padded.indexOf(term);
    if (place < 0) continue;
    found += 1;
    if (first < 0) first = place;
  }
  const share = found / terms.length;
  return {
    strength: share ** 2,
    exact: false,
    position: share > PLACED ? Math.trunc(first / SPACED_LENGTH) : -1,
  };
}

/** Finds a word of a script without spaces, as a whole or by its pairs of characters. */
export function findRun({ surface, terms }: PartedWord, padded: string): FoundParts {
  const whole = padded.indexOf(surface);
  if (whole >= 0) return { strength: 1, exact: true, position: Math.trunc(whole / UNSPACED_LENGTH) };
  const share = terms.filter((term) => padded.includes(term)).length / terms.length;
  return { strength: share ** 2, exact: false, position: -1 };
}
