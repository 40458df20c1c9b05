import { withoutDisguise } from '../safety/disguise.ts';

/** The number of consecutive words of the prompt that cannot be a coincidence. */
const ECHO_RUN = 6;
/** The minimum length in words of a sentence that is taken entirely from the prompt. */
const ECHO_SENTENCE = 4;
/** The number of consecutive letters of the prompt within one word that indicates words spelled out letter by letter. */
const ECHO_LETTERS = 24;
/** After this many consecutive words, the rest of the sentence must be checked before it is shown. */
const SUSPICIOUS_RUN = 4;
const WORD = /[\p{L}\p{N}_]+/gu;
const LETTER = /[\p{L}\p{N}_\p{Cs}]/u;

/** Detects a prompt's wording in the output of a model. */
export class PromptEcho {
  readonly #words: string;
  readonly #letters: string;
  readonly #runs: ReadonlySet<string>;
  readonly #beginnings: ReadonlySet<string>;

  constructor(prompt: string) {
    const words = splitPromptWords(prompt);
    this.#words = ` ${words.join(' ')} `;
    this.#letters = words.join('');
    this.#runs = wordRuns(words, ECHO_RUN);
    this.#beginnings = wordRuns(words, SUSPICIOUS_RUN);
  }

  /** Returns whether a complete sentence repeats the prompt. */
  isIn(sentence: string): boolean {
    const words = splitPromptWords(sentence);
    if ([...wordRuns(words, ECHO_RUN)].some((run) => this.#runs.has(run))) return true;
    if (words.some((word) => this.#isSpelled(word))) return true;
    return words.length >= ECHO_SENTENCE && this.#words.includes(` ${words.join(' ')} `);
  }

  #isSpelled(word: string): boolean {
    for (let at = 0; at + ECHO_LETTERS <= word.length; at += 1) {
      if (this.#letters.includes(word.slice(at, at + ECHO_LETTERS))) return true;
    }
    return false;
  }

  /**
   * Returns whether the start of a sentence may grow into one that repeats the prompt. Only the last `fresh` characters
   * are new since the previous check; all of them by default.
   */
  mayBeIn(start: string, fresh: number = start.length): boolean {
    const words = splitPromptWords(start.slice(startOfWords(start, start.length - fresh)));
    return [...wordRuns(words, SUSPICIOUS_RUN)].some((run) => this.#beginnings.has(run));
  }
}

/** Returns the start of the last words before `at` that may belong to a suspicious run ending after it. */
function startOfWords(text: string, at: number): number {
  let start = at;
  for (let words = 0; words < SUSPICIOUS_RUN && start > 0; words += 1) {
    while (start > 0 && !isLetter(text, start - 1)) start -= 1;
    while (start > 0 && isLetter(text, start - 1)) start -= 1;
  }
  return start;
}

/** Surrogate halves count as letters. A word may then seem longer than it is, which misses no match. */
function isLetter(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at));
}

function splitPromptWords(text: string): readonly string[] {
  return withoutDisguise(text).toLowerCase().match(WORD) ?? [];
}

function wordRuns(words: readonly string[], length: number): ReadonlySet<string> {
  const starts = Math.max(0, words.length - length + 1);
  return new Set(Array.from({ length: starts }, (_, at) => words.slice(at, at + length).join(' ')));
}
