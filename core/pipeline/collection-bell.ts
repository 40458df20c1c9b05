import type { Logger } from '../log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { hearNotifications } from '../storage/hear-notifications.ts';

/** Somebody who waits for what is kept under a key. */
export interface Ring {
  /** Resolves when it rings, also if it rang since the last time; after so long without; and when `signal` is aborted. */
  next(patienceMs: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

interface Dependencies {
  readonly pool: DatabasePool;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Rings in this process when a process, whichever, has stored something that is to be collected. The connection that it
 * hears over is opened when somebody waits for the first time; while there is none, those who wait look by themselves.
 */
export class CollectionBell {
  readonly #dependencies: Dependencies;
  readonly #waiting = new Map<string, Set<() => void>>();
  #hearing: Promise<() => void> | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when nothing is missed any more. */
  async ring(channelId: string, key: string): Promise<Ring> {
    const name = `${channelId} ${key}`;
    let isRung = false;
    let wake = () => {};
    const hear = () => {
      isRung = true;
      wake();
    };
    const others = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, others.add(hear));
    await this.#listen();
    return {
      next: (patienceMs, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(() => wake(), patienceMs);
          const aborted = () => wake();
          wake = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', aborted);
            isRung = false;
            resolve();
          };
          signal.addEventListener('abort', aborted);
          if (isRung || signal.aborted) wake();
        }),
      end: () => {
        others.delete(hear);
        if (others.size === 0) this.#waiting.delete(name);
      },
    };
  }

  async close(): Promise<void> {
    const stop = await this.#hearing?.catch(() => undefined);
    this.#hearing = undefined;
    stop?.();
  }

  async #listen(): Promise<void> {
    const { pool, log } = this.#dependencies;
    const forget = () => {
      this.#hearing = undefined;
    };
    this.#hearing ??= hearNotifications(pool, {
      channel: 'collectable',
      hear: (name) => {
        for (const hear of this.#waiting.get(name) ?? []) hear();
      },
      lost: forget,
    });
    await this.#hearing.catch((err: unknown) => {
      forget();
      log.warn({ err }, 'who waits for what is to be said is not woken: he looks by himself');
    });
  }
}
