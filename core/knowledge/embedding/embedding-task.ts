/** One text of a task, on its way through a thread. */
export interface EmbeddingUnit {
  readonly task: EmbeddingTask;
  readonly index: number;
  readonly text: string;
  /** How many threads have died while they had it. */
  readonly deaths: number;
}

/** Texts that become vectors together. They are handed out one at a time. */
export class EmbeddingTask {
  readonly #texts: readonly string[];
  readonly #vectors: Float32Array[];
  readonly #outcome = Promise.withResolvers<readonly Float32Array[]>();
  #next = 0;
  #missing: number;
  #settled = false;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#vectors = new Array(texts.length);
    this.#missing = texts.length;
    if (texts.length === 0) this.#resolve();
  }

  /** The vectors, in the order of the texts. */
  get outcome(): Promise<readonly Float32Array[]> {
    return this.#outcome.promise;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Whether there is nothing left to hand out. */
  get exhausted(): boolean {
    return this.#settled || this.#next === this.#texts.length;
  }

  take(): EmbeddingUnit | undefined {
    const index = this.#next;
    const text = this.#texts[index];
    if (this.exhausted || text === undefined) return undefined;
    this.#next++;
    return { task: this, index, text, deaths: 0 };
  }

  finish(unit: EmbeddingUnit, vector: Float32Array): void {
    this.#vectors[unit.index] = vector;
    this.#missing--;
    if (this.#missing === 0) this.#resolve();
  }

  /** Rejects the outcome and drops the texts that are left; does nothing when the task is settled. */
  fail(reason: unknown): void {
    this.#settled = true;
    this.#outcome.reject(reason);
  }

  #resolve(): void {
    this.#settled = true;
    this.#outcome.resolve(this.#vectors);
  }
}
