import { withoutDisguise } from '../safety/disguise.ts';

/** So many words of the prompt in a row are no coincidence. */
const TELLING_RUN = 6;
/** A sentence that is nothing but so many of them is none either. */
const TELLING_SENTENCE = 4;
/** So many letters of it in a row are none within one word: its words were set apart, letter by letter. */
const TELLING_LETTERS = 24;
/** With so many in a row the rest has to be seen first. */
const SUSPICIOUS_RUN = 4;
const WORD = /[\p{L}\p{N}_]+/gu;
const LETTER = /[\p{L}\p{N}_\p{Cs}]/u;

/** Recognises the words of a prompt in what a model writes. */
export class PromptEcho {
  readonly #words: string;
  readonly #letters: string;
  readonly #runs: ReadonlySet<string>;
  readonly #beginnings: ReadonlySet<string>;

  constructor(prompt: string) {
    const words = splitPromptWords(prompt);
    this.#words = ` ${words.join(' ')} `;
    this.#letters = words.join('');
    this.#runs = wordRuns(words, TELLING_RUN);
    this.#beginnings = wordRuns(words, SUSPICIOUS_RUN);
  }

  /** Whether a whole sentence repeats the prompt. */
  isIn(sentence: string): boolean {
    const words = splitPromptWords(sentence);
    if ([...wordRuns(words, TELLING_RUN)].some((run) => this.#runs.has(run))) return true;
    if (words.some((word) => this.#isSpelled(word))) return true;
    return words.length >= TELLING_SENTENCE && this.#words.includes(` ${words.join(' ')} `);
  }

  #isSpelled(word: string): boolean {
    for (let at = 0; at + TELLING_LETTERS <= word.length; at += 1) {
      if (this.#letters.includes(word.slice(at, at + TELLING_LETTERS))) return true;
    }
    return false;
  }

  /**
   * Whether the beginning of a sentence may be that of one that does. `fresh`: so many characters at its end are new, and what
   * was there before was not; all are when absent.
   */
  mayBeIn(begun: string, fresh: number = begun.length): boolean {
    const words = splitPromptWords(begun.slice(startOfWords(begun, begun.length - fresh)));
    return [...wordRuns(words, SUSPICIOUS_RUN)].some((run) => this.#beginnings.has(run));
  }
}

/** Where the last words begin that end before `at` and may be part of a suspicious run that does not. */
function startOfWords(text: string, at: number): number {
  let start = at;
  for (let words = 0; words < SUSPICIOUS_RUN && start > 0; words += 1) {
    while (start > 0 && !isLetter(text, start - 1)) start -= 1;
    while (start > 0 && isLetter(text, start - 1)) start -= 1;
  }
  return start;
}

/** Halves of surrogate pairs count as letters: where a word is taken for longer than it is, nothing is missed. */
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
