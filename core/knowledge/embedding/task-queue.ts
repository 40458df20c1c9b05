import type { EmbeddingTask, EmbeddingUnit } from './embedding-task.ts';

/** Tasks with texts left to embed. They take turns, text by text, so that a short one is not stuck behind a long. */
export class TaskQueue {
  readonly #returned: EmbeddingUnit[] = [];
  readonly #tasks: EmbeddingTask[] = [];

  add(task: EmbeddingTask): void {
    this.#tasks.push(task);
  }

  /** Puts back a text whose thread died; it is taken again before anything else. */
  giveBack(unit: EmbeddingUnit): void {
    this.#returned.push({ ...unit, deaths: unit.deaths + 1 });
  }

  get empty(): boolean {
    return this.#returned.every(({ task }) => task.settled) && this.#tasks.every((task) => task.exhausted);
  }

  take(): EmbeddingUnit | undefined {
    for (let unit = this.#returned.pop(); unit !== undefined; unit = this.#returned.pop()) {
      if (!unit.task.settled) return unit;
    }
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      const unit = task.take();
      if (unit === undefined) continue;
      this.#tasks.push(task);
      return unit;
    }
    return undefined;
  }

  /** Fails every task that has texts left. */
  failAll(reason: unknown): void {
    for (const { task } of this.#returned.splice(0)) task.fail(reason);
    for (const task of this.#tasks.splice(0)) task.fail(reason);
  }
}
