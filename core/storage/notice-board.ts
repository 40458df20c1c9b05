import type { Logger } from '../log.ts';
import type { DatabasePool } from './database.ts';
import { Notices } from './notices.ts';

interface Dependencies {
  readonly pool: DatabasePool;
  /** What `pg_notify` is told to, with a key as its payload; a plain name. */
  readonly channel: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Tells those who wait for a key that something happened under it, in whichever process. What it was has to be looked
 * up: who may have missed something is told as well. The connection is opened when somebody waits for the first time.
 */
export class NoticeBoard {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #notices: Notices;

  constructor(dependencies: Dependencies) {
    this.#notices = new Notices({ ...dependencies, hear: (key) => this.#hear(key) });
  }

  /** From when it resolves on `tell` is called; until the returned function is. */
  async listen(key: string, tell: () => void): Promise<() => void> {
    const others = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, others.add(tell));
    await this.#notices.open();
    return () => {
      others.delete(tell);
      if (others.size === 0 && this.#waiting.get(key) === others) this.#waiting.delete(key);
    };
  }

  close(): Promise<void> {
    return this.#notices.close();
  }

  #hear(key: string | null): void {
    const told = key === null ? [...this.#waiting.values()] : [this.#waiting.get(key) ?? []];
    for (const waiting of told) for (const tell of [...waiting]) tell();
  }
}
