import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../log.ts';

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

/** A session of the server, such that no later one is taken for it. */
export type Backend = string;

const probeMs = 5_000;

/** A process number may be given again, and another server has its own. */
const backendName = "concat_ws(' ', pid, extract(epoch from backend_start))";

/**
 * The connection's own; null where the server does not say. Throws where it can only be read: a standby answers what is
 * read, and would be kept for that, and after a failover its name may lead to it for a while.
 */
export async function requireWritableBackend(client: pg.ClientBase): Promise<Backend | null> {
  const { rows } = await client.query<{ read_only: string; backend: Backend | null }>(
    `select current_setting('transaction_read_only') as read_only,
            (select ${backendName} from pg_stat_activity where pid = pg_backend_pid()) as backend`,
  );
  const [own] = rows;
  if (own?.read_only === 'off') return own.backend;
  throw Object.assign(new Error('The database can only be read.'), { code: '25006' });
}

/** Those that are at a statement, asked by a connection that is made for it. Rejects where there can be none. */
export async function listBusyBackends(url: string): Promise<ReadonlySet<Backend>> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => {
    // Who asks hears of it.
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ backend: Backend }>(
      `select ${backendName} as backend from pg_stat_activity where state not like 'idle%'`,
    );
    return new Set(rows.map((row) => row.backend));
  } finally {
    client.end().catch(() => {
      // It is of no more use.
    });
  }
}
