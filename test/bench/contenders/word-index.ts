interface Posting {
  readonly chunk: number;
  readonly frequency: number;
}

const k1 = 1.2;
const b = 0.75;

/** BM25 in the simplest form. */
export class WordIndex {
  readonly #postings = new Map<string, Posting[]>();
  readonly #lengths: number[] = [];
  #total = 0;

  add(words: readonly string[]): void {
    const chunk = this.#lengths.length;
    this.#lengths.push(words.length);
    this.#total += words.length;
    for (const [word, same] of Map.groupBy(words, (each) => each)) {
      const postings = this.#postings.get(word);
      const posting = { chunk, frequency: same.length };
      if (postings === undefined) this.#postings.set(word, [posting]);
      else postings.push(posting);
    }
  }

  /** The scores of every chunk; `ideal` is a limit that no chunk can exceed. */
  score(words: readonly string[]): { scores: Float32Array; ideal: number } {
    const chunks = this.#lengths.length;
    const average = this.#total / chunks;
    const scores = new Float32Array(chunks);
    let ideal = 0.001;
    for (const word of new Set(words)) {
      const postings = this.#postings.get(word) ?? [];
      const weight = Math.log(1 + (chunks - postings.length + 0.5) / (postings.length + 0.5));
      ideal += weight * (k1 + 1);
      for (const { chunk, frequency } of postings) {
        const norm = k1 * (1 - b + (b * (this.#lengths[chunk] ?? 0)) / average);
        scores[chunk] = (scores[chunk] ?? 0) + (weight * frequency * (k1 + 1)) / (frequency + norm);
      }
    }
    return { scores, ideal };
  }
}
