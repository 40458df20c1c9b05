import { Socket } from 'node:net';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import type { Backend } from './backends.ts';

interface Watched {
  readonly backend: Backend;
  readonly stream: Socket;
  /** Bytes sent when the server was heard last: where it is more by now, it is waited for. */
  sentWhenHeard: number;
  /** Also when it was looked at last, and without a word since. */
  waitedBefore: boolean;
}

interface Options {
  /** Those that are at a statement, asked by a connection that is made for it. Rejects where there can be none. */
  readonly busyBackends: () => Promise<ReadonlySet<Backend>>;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

/**
 * Breaks connections off whose server is gone without a word: its machine died, or its name leads to another one now. The
 * network would try to reach it for a quarter of an hour. Who takes long, and who waits for a lock, the server knows of.
 */
export class ConnectionWatch {
  readonly #options: Options;
  readonly #watched = new Set<Watched>();
  #isLooking = false;

  constructor(options: Options) {
    this.#options = options;
  }

  add(client: Pick<pg.Client, 'connection'>, backend: Backend): void {
    const { stream } = client.connection;
    if (!(stream instanceof Socket)) return;
    const watched = { backend, stream, sentWhenHeard: stream.bytesWritten, waitedBefore: false };
    // Before the driver hears it, who may have something to send at once.
    stream.prependListener('data', () => {
      watched.sentWhenHeard = stream.bytesWritten;
      watched.waitedBefore = false;
    });
    stream.once('close', () => this.#watched.delete(watched));
    this.#watched.add(watched);
  }

  /** To be called every few seconds: who waits at two looks is asked after. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const waiting = [...this.#watched].filter(isWaiting);
      const suspects = waiting.filter(({ waitedBefore }) => waitedBefore);
      for (const one of waiting) one.waitedBefore = true;
      if (suspects.length > 0) await this.#breakOffLost(suspects);
    } catch (err) {
      this.#options.log.debug({ err }, 'nobody can be asked what became of statements');
    } finally {
      this.#isLooking = false;
    }
  }

  async #breakOffLost(suspects: readonly Watched[]): Promise<void> {
    const busy = await this.#options.busyBackends();
    const lost = suspects.filter((one) => one.waitedBefore && isWaiting(one) && !busy.has(one.backend));
    for (const { stream } of lost) {
      stream.destroy(Object.assign(new Error('The database server is gone.'), { code: 'ECONNRESET' }));
    }
    if (lost.length > 0) {
      this.#options.log.warn(
        { connections: lost.length },
        'connections were broken off whose server is gone',
      );
    }
  }
}

function isWaiting({ stream, sentWhenHeard }: Watched): boolean {
  return stream.bytesWritten > sentWhenHeard;
}
