import type { Logger } from '../log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { Notices } from '../storage/notices.ts';

interface Dependencies {
  readonly pool: DatabasePool;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Tells who waits for it that something happened in a visitor's conversation, on whichever server: a person replied, or
 * its status changed. What it was has to be looked up.
 */
export class VisitorNews {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #notices: Notices;

  constructor({ pool, log }: Dependencies) {
    this.#notices = new Notices({ pool, log, channel: 'visitor_news', hear: (id) => this.#hear(id) });
  }

  /** From when it resolves on `tell` is called; until the returned function is. */
  async listen(visitorId: string, tell: () => void): Promise<() => void> {
    const listeners = this.#listeners.get(visitorId) ?? new Set();
    this.#listeners.set(visitorId, listeners.add(tell));
    await this.#notices.open();
    return () => {
      listeners.delete(tell);
      if (listeners.size === 0) this.#listeners.delete(visitorId);
    };
  }

  close(): Promise<void> {
    return this.#notices.close();
  }

  #hear(visitorId: string | null): void {
    const told = visitorId === null ? [...this.#listeners.values()] : [this.#listeners.get(visitorId) ?? []];
    for (const listeners of told) for (const tell of [...listeners]) tell();
  }
}
