import pg from 'pg';
import { runInBackground } from '../base/async.ts';
import { StartError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import {
  type Backend,
  ConnectionWatch,
  listBusyBackends,
  requireWritableBackend,
} from './connection-watch.ts';
import { isConnectionLimitError, WaitingPool } from './waiting-pool.ts';

/** The oldest version that both pgvector 0.8 and BullMQ are tested on. */
const MIN_MAJOR_VERSION = 14;

/**
 * Limits how long a hung process, or one whose machine died, can hold row locks. Without it, the server would
 * only notice after two hours, by TCP keep-alive.
 */
const idleTransactionTimeout = "set idle_in_transaction_session_timeout to '60s'";

/** Idle time before TCP keep-alive probes start. */
const keepAliveInitialDelayMillis = 10_000;
const WATCH_INTERVAL_MS = 5_000;

interface PoolOptions {
  readonly max?: number | undefined;
  /** Interval of the checks for a server that disappeared without notice. */
  readonly watchEveryMs?: number;
  /** Additional statements for each session. */
  readonly settings?: string;
  /** True to check that a connection keeps its session. Once per address is enough. */
  readonly checkSessions?: boolean;
}

/** Connects to a PostgreSQL server. Throws a StartError with advice if it is unreachable or too old. */
export async function openPostgresPool(
  url: string,
  log: Logger,
  { max = 20, watchEveryMs = WATCH_INTERVAL_MS, settings = '', checkSessions = false }: PoolOptions = {},
): Promise<pg.Pool> {
  const backends = new WeakMap<pg.ClientBase, Backend>();
  const pool = new WaitingPool({
    log,
    max,
    config: {
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis,
      connectionTimeoutMillis: 10_000,
      onConnect: async (client) => {
        await client.query([sessionSettings, idleTransactionTimeout, settings].join('; '));
        const backend = await requireWritableBackend(client);
        if (backend !== null) backends.set(client, backend);
      },
    },
  });
  const watch = new ConnectionWatch({ busyBackends: () => listBusyBackends(url), log });
  watchConnections(pool, { backends, watch, log, everyMs: watchEveryMs });
  // Every queue and worker adds a listener, so many listeners are no leak.
  pool.setMaxListeners(0);
  // A connection can also fail while it is checked out. Without a listener the error would stop the process.
  pool.on('connect', (client) => {
    client.on('error', (err) => log.warn({ err }, 'database connection failed'));
  });
  pool.on('error', () => {
    // Failed idle connections. Each has already logged its error.
  });
  try {
    await checkVersion(pool);
    if (checkSessions) await refuseTransactionPooler(pool, url);
  } catch (error) {
    await pool.end();
    throw toStartError(error, url);
  }
  return pool;
}

interface WatchOptions {
  readonly backends: WeakMap<pg.ClientBase, Backend>;
  readonly watch: ConnectionWatch;
  readonly log: Logger;
  readonly everyMs: number;
}

function watchConnections(pool: pg.Pool, { backends, watch, log, everyMs }: WatchOptions): void {
  pool.on('connect', (client) => {
    const backend = backends.get(client);
    if (backend !== undefined) watch.add(client, backend);
  });
  const timer = setInterval(() => {
    if (pool.ending) clearInterval(timer);
    else runInBackground(watch.check(), (err) => log.warn({ err }, 'database connection check failed'));
  }, everyMs).unref();
}

async function checkVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? '0';
  if (Number.parseInt(version, 10) >= MIN_MAJOR_VERSION) return;
  throw new StartError(
    `DATABASE_URL points to PostgreSQL ${version}. Use PostgreSQL ${MIN_MAJOR_VERSION} or newer.`,
  );
}

function toStartError(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error;
  const { host, pathname } = new URL(url);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = error instanceof Error ? error.message || String(code) : String(error);
  const problem = `Cannot use the database ${host}${pathname} from DATABASE_URL: ${reason || code}`;
  if (code === '28P01' || code === '28000')
    return new StartError(`${problem}. Check the user name and password in DATABASE_URL.`, error);
  if (code === '25006') return new StartError(`${problem}. Set DATABASE_URL to the primary server.`, error);
  if (code === '53300') {
    const advice =
      'Raise max_connections on the server, start fewer processes, or lower DATABASE_CONNECTIONS';
    return new StartError(`${problem}. ${advice}.`, error);
  }
  if (code === '3D000') return new StartError(`${problem}. Create that database first.`, error);
  return new StartError(
    `${problem}. Check that PostgreSQL runs there and is reachable from this machine.`,
    error,
  );
}

/**
 * Settings of every session: the queue's schema is in the search path, and a nearest-neighbour search continues
 * until enough rows pass its filter. JIT is off, because compiling a statement takes seconds, while statements
 * run in milliseconds.
 */
export const sessionSettings = [
  'set search_path to public, bullmq',
  "set hnsw.iterative_scan to 'strict_order'",
  'set hnsw.ef_search to 100',
  'set jit to off',
].join('; ');

/** Under load a pooler may return the same session by chance. Several rounds make that unlikely. */
const PROBE_ROUNDS = 5;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * Throws a StartError if connections share server sessions, as behind a pooler in transaction mode: prepared
 * statements, settings and notifications would reach other connections, and messages would be sent twice. One
 * connection begins a transaction and so occupies the session that the other one has just used, if sessions are
 * shared.
 */
async function refuseTransactionPooler(pool: pg.Pool, url: string): Promise<void> {
  const other = await openSecondConnection(url);
  if (other === null) return;
  try {
    const own = await pool.connect();
    try {
      for (let round = 0; round < PROBE_ROUNDS; round += 1) {
        if (await sharesSessions(own, other)) throw refusal(url);
      }
    } finally {
      own.release();
    }
  } finally {
    // This also ends an open transaction.
    await other.end();
  }
}

/**
 * Returns null if the server itself has no free connection. A pooler would make the connection wait instead.
 */
async function openSecondConnection(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on('error', () => {
    // Its next statement fails.
  });
  try {
    await client.connect();
    // Some poolers dedicate a session to a connection with settings of its own, as the product's connections
    // have.
    await client.query(sessionSettings);
    return client;
  } catch (error) {
    await client.end();
    if (isConnectionLimitError(error)) return null;
    throw error;
  }
}

async function sharesSessions(own: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const before = await findSession(own);
  await other.query('begin');
  const otherSession = await findSession(other);
  if (otherSession === before) return true;
  const after = await findSession(own);
  await other.query('commit');
  return after !== before;
}

async function findSession(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function refusal(url: string): StartError {
  const { host, pathname } = new URL(url);
  return new StartError(
    `DATABASE_URL points to ${host}${pathname} through a pooler in transaction mode, but Parley needs session state. Switch the pooler to session mode, or set DATABASE_URL to PostgreSQL itself.`,
  );
}
