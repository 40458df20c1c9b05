import type { Embedder } from '../../../../core/knowledge/embedding/embedder.ts';

/** Holds questions at the embedder, to inspect requests in flight. */
export class QuestionHold {
  #gate: PromiseWithResolvers<void> | null = null;
  #waiting = 0;
  #arrival = () => {};

  around(embedder: Embedder): Embedder {
    return {
      ...embedder,
      embedQuery: async (text) => {
        await this.#pass();
        return embedder.embedQuery(text);
      },
    };
  }

  /** From now on questions wait. */
  begin(): void {
    this.#gate ??= Promise.withResolvers();
  }

  /** Resolves when so many wait. */
  arrived(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#arrival = () => {
        if (this.#waiting >= count) resolve();
      };
      this.#arrival();
    });
  }

  /** Releases the waiting questions; later ones do not wait. */
  end(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  async #pass(): Promise<void> {
    if (this.#gate === null) return;
    this.#waiting += 1;
    this.#arrival();
    await this.#gate.promise;
    this.#waiting -= 1;
  }
}
