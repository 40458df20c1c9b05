import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../log.ts';

interface Options {
  readonly config: Omit<pg.PoolConfig, 'max' | 'min'>;
  readonly max: number;
  readonly log: Pick<Logger, 'warn'>;
  /** After it was told that there are no more, it asks for some again. */
  readonly againMs?: number;
}

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

const patienceMs = 10_000;
/** Where there is none at all that could become free. */
const pauseMs = 200;
const defaultAgainMs = 5_000;

/** A pool whose server may have no more connections for it: then it makes do with those that it has. */
export class WaitingPool extends pg.Pool {
  readonly #most: number;
  readonly #log: Options['log'];
  readonly #againMs: number;
  #asksAgain: NodeJS.Timeout | undefined;

  constructor({ log, max, config, againMs = defaultAgainMs }: Options) {
    // The last one is kept: where others take all that there are, there may be no next one.
    super({ ...config, max, min: 1 });
    this.#most = max;
    this.#log = log;
    this.#againMs = againMs;
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
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        if (!isConnectionLimitError(error) || this.ending || performance.now() > until) throw error;
        this.#makeDo();
        if (this.totalCount === 0) await wait(pauseMs);
      }
    }
  }

  /** Whoever asks from now on waits for one that there is. */
  #makeDo(): void {
    this.options.max = Math.max(1, this.totalCount);
    if (this.#asksAgain !== undefined) return;
    this.#log.warn(
      { connections: this.totalCount, wanted: this.#most },
      'the database server has no more connections for this process',
    );
    this.#asksAgain = setTimeout(() => this.#askAgain(), this.#againMs).unref();
  }

  #askAgain(): void {
    this.#asksAgain = undefined;
    this.options.max = this.#most;
    if (this.waitingCount === 0) return;
    // Who waits already would go on waiting for one that is released: the first new one is.
    this.#connect().then(
      (client) => client.release(),
      () => {
        // Each of those who wait is told himself.
      },
    );
  }
}

/** Whether there are no more connections of the server, or of the role, or of the database. */
export function isConnectionLimitError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}
