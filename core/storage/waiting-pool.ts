import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../base/log.ts';

interface Options {
  readonly config: Omit<pg.PoolConfig, 'max' | 'min'>;
  readonly max: number;
  readonly log: Pick<Logger, 'warn'>;
  /** Delay before the pool asks for more connections again. */
  readonly retryMs?: number;
}

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

const MAX_WAIT_MS = 10_000;
/** Pause if the pool has no connection at all that could be released. */
const PAUSE_MS = 200;
const DEFAULT_RETRY_MS = 5_000;

/** A pool that continues with fewer connections if the server refuses more. */
export class WaitingPool extends pg.Pool {
  readonly #max: number;
  readonly #log: Options['log'];
  readonly #retryMs: number;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor({ log, max, config, retryMs = DEFAULT_RETRY_MS }: Options) {
    // One connection is always kept, because other clients may occupy all the others.
    super({ ...config, max, min: 1 });
    this.#max = max;
    this.#log = log;
    this.#retryMs = retryMs;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (callback === undefined) return connecting;
    connecting.then(
      (client) => callback(undefined, client, (release) => client.release(release)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const until = performance.now() + MAX_WAIT_MS;
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        if (!isConnectionLimitError(error) || this.ending || performance.now() > until) throw error;
        this.#limitToCurrent();
        if (this.totalCount === 0) await wait(PAUSE_MS);
      }
    }
  }

  /** Limits the pool to its current connections, so that callers wait for one of them. */
  #limitToCurrent(): void {
    this.options.max = Math.max(1, this.totalCount);
    if (this.#retryTimer !== undefined) return;
    this.#log.warn({ connections: this.totalCount, wanted: this.#max }, 'database connection limit reached');
    this.#retryTimer = setTimeout(() => this.#retry(), this.#retryMs).unref();
  }

  #retry(): void {
    this.#retryTimer = undefined;
    this.options.max = this.#max;
    if (this.waitingCount === 0) return;
    // Callers that already wait would only get a released connection, so the first new one is released at once.
    this.#connect().then(
      (client) => client.release(),
      () => {
        // Each waiting caller gets the error itself.
      },
    );
  }
}

/** Returns true if the server, role or database has reached its connection limit. */
export function isConnectionLimitError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}
