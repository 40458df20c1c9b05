/** So many words of the prompt in a row are no coincidence. */
const TELLING_RUN = 6;
/** A sentence that is nothing but so many of them is none either. */
const TELLING_SENTENCE = 4;
/** With so many in a row the rest has to be seen first. */
const SUSPICIOUS_RUN = 4;
const WORD = /[\p{L}\p{N}_]+/gu;

/** Recognises the words of a prompt in what a model writes. */
export class PromptEcho {
  readonly #words: string;
  readonly #runs: ReadonlySet<string>;
  readonly #beginnings: ReadonlySet<string>;

  constructor(prompt: string) {
    const words = wordsOf(prompt);
    this.#words = ` ${words.join(' ')} `;
    this.#runs = runsOf(words, TELLING_RUN);
    this.#beginnings = runsOf(words, SUSPICIOUS_RUN);
  }

  /** Whether a whole sentence repeats the prompt. */
  isIn(sentence: string): boolean {
    const words = wordsOf(sentence);
    if ([...runsOf(words, TELLING_RUN)].some((run) => this.#runs.has(run))) return true;
    return words.length >= TELLING_SENTENCE && this.#words.includes(` ${words.join(' ')} `);
  }

  /** Whether the beginning of a sentence may be that of one that does. */
  mayBeIn(begun: string): boolean {
    return [...runsOf(wordsOf(begun), SUSPICIOUS_RUN)].some((run) => this.#beginnings.has(run));
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

function runsOf(words: readonly string[], length: number): ReadonlySet<string> {
  const starts = Math.max(0, words.length - length + 1);
  return new Set(Array.from({ length: starts }, (_, at) => words.slice(at, at + length).join(' ')));
}
