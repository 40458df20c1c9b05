import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../base/log.ts';

interface WatchedConnection {
  readonly backend: Backend;
  readonly stream: Socket;
  /** Bytes sent when the server last responded. If more have been sent since, a response is pending. */
  bytesAtLastResponse: number;
  /** True if a response was already pending at the last check. */
  wasWaiting: boolean;
}

interface Options {
  /**
   * Returns the server sessions that are executing a statement, over a new connection. Rejects if none can be
   * opened.
   */
  readonly busyBackends: () => Promise<ReadonlySet<Backend>>;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

/**
 * Closes connections whose server disappeared without notice: its machine died, or its host name now points to
 * another one. TCP would retry for a quarter of an hour. Slow statements and waits for locks are not affected,
 * because the server reports them as active.
 */
export class ConnectionWatch {
  readonly #options: Options;
  readonly #watched = new Set<WatchedConnection>();
  #isChecking = false;

  constructor(options: Options) {
    this.#options = options;
  }

  add(client: Pick<pg.Client, 'connection'>, backend: Backend): void {
    const { stream } = client.connection;
    if (!(stream instanceof Socket)) return;
    const watched = { backend, stream, bytesAtLastResponse: stream.bytesWritten, wasWaiting: false };
    // It is registered before the driver's listener, which may send the next statement at once.
    stream.prependListener('data', () => {
      watched.bytesAtLastResponse = stream.bytesWritten;
      watched.wasWaiting = false;
    });
    stream.once('close', () => this.#watched.delete(watched));
    this.#watched.add(watched);
  }

  /** Must be called every few seconds. A connection that waits at two consecutive checks is verified. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      const waiting = [...this.#watched].filter(isWaiting);
      const suspects = waiting.filter(({ wasWaiting }) => wasWaiting);
      for (const one of waiting) one.wasWaiting = true;
      if (suspects.length > 0) await this.#closeLost(suspects);
    } catch (err) {
      this.#options.log.debug({ err }, 'connection check failed');
    } finally {
      this.#isChecking = false;
    }
  }

  async #closeLost(suspects: readonly WatchedConnection[]): Promise<void> {
    const busy = await this.#options.busyBackends();
    const lost = suspects.filter((one) => one.wasWaiting && isWaiting(one) && !busy.has(one.backend));
    for (const { stream } of lost) {
      stream.destroy(Object.assign(new Error('The database server is unreachable.'), { code: 'ECONNRESET' }));
    }
    if (lost.length > 0) {
      this.#options.log.warn({ connections: lost.length }, 'connections to an unreachable server closed');
    }
  }
}

function isWaiting({ stream, bytesAtLastResponse }: WatchedConnection): boolean {
  return stream.bytesWritten > bytesAtLastResponse;
}

/** Identifies a server session. A later session never has the same value. */
export type Backend = string;

const PROBE_TIMEOUT_MS = 5_000;

/** The process id alone can be reused, or belong to another server. */
const backendName = "concat_ws(' ', pid, extract(epoch from backend_start))";

/**
 * Returns the connection's own session, or null if the server does not reveal it. Throws if the session is
 * read-only: after a failover the host name may point to a standby for a while, which would answer reads and
 * keep the connection.
 */
export async function requireWritableBackend(client: pg.ClientBase): Promise<Backend | null> {
  const { rows } = await client.query<{ read_only: string; backend: Backend | null }>(
    `select current_setting('transaction_read_only') as read_only,
            (select ${backendName} from pg_stat_activity where pid = pg_backend_pid()) as backend`,
  );
  const [own] = rows;
  if (own?.read_only === 'off') return own.backend;
  throw Object.assign(new Error('The database is read-only.'), { code: '25006' });
}

/**
 * Returns the sessions that are executing a statement, over a new connection. Rejects if none can be opened.
 */
export async function listBusyBackends(url: string): Promise<ReadonlySet<Backend>> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => {
    // The error is reported by the failing call.
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ backend: Backend }>(
      `select ${backendName} as backend from pg_stat_activity where state not like 'idle%'`,
    );
    return new Set(rows.map((row) => row.backend));
  } finally {
    client.end().catch(() => {
      // The connection is no longer needed.
    });
  }
}
