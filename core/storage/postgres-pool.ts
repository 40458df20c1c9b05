import pg from 'pg';
import { runInBackground } from '../async.ts';
import { StartError } from '../errors.ts';
import type { Logger } from '../log.ts';
import {
  type Backend,
  ConnectionWatch,
  listBusyBackends,
  requireWritableBackend,
} from './connection-watch.ts';
import { isConnectionLimitError, WaitingPool } from './waiting-pool.ts';

/** The oldest server that pgvector 0.8 and BullMQ are both tested on. */
const oldestMajor = 14;

/**
 * A process that hangs, or whose machine is gone, keeps the rows that it locked for so long: the server cannot tell
 * otherwise until it asks the network, after two hours.
 */
const notGoingOn = "set idle_in_transaction_session_timeout to '60s'";

/** Until a connection on which nothing is said is asked whether it is there. */
const keepAliveInitialDelayMillis = 10_000;
const watchMs = 5_000;

interface PoolOptions {
  readonly max?: number | undefined;
  /** How often it is looked whose server is gone without a word. */
  readonly watchEveryMs?: number;
  /** Statements for each session, beside what every session is set to. */
  readonly settings?: string;
  /** Whether it is checked that a connection keeps its session: once for an address is enough. */
  readonly checkSessions?: boolean;
}

/** Connects to a PostgreSQL server. Throws a StartError that says what to do when it cannot, or when it is too old. */
export async function openPostgresPool(
  url: string,
  log: Logger,
  { max = 20, watchEveryMs = watchMs, settings = '', checkSessions = false }: PoolOptions = {},
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
        await client.query([sessionSettings, notGoingOn, settings].join('; '));
        const backend = await requireWritableBackend(client);
        if (backend !== null) backends.set(client, backend);
      },
    },
  });
  const watch = new ConnectionWatch({ busyBackends: () => listBusyBackends(url), log });
  watchConnections(pool, { backends, watch, log, everyMs: watchEveryMs });
  // Each queue and each worker listens to it for as long as it is open: that they are many is no leak.
  pool.setMaxListeners(0);
  // A connection may fail while somebody has it, too: whom nobody listens to would end the process.
  pool.on('connect', (client) => {
    client.on('error', (err) => log.warn({ err }, 'a database connection failed'));
  });
  pool.on('error', () => {
    // Idle connections that failed: each has told it already.
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

interface Watching {
  readonly backends: WeakMap<pg.ClientBase, Backend>;
  readonly watch: ConnectionWatch;
  readonly log: Logger;
  readonly everyMs: number;
}

function watchConnections(pool: pg.Pool, { backends, watch, log, everyMs }: Watching): void {
  pool.on('connect', (client) => {
    const backend = backends.get(client);
    if (backend !== undefined) watch.add(client, backend);
  });
  const timer = setInterval(() => {
    if (pool.ending) clearInterval(timer);
    else runInBackground(watch.look(), (err) => log.warn({ err }, 'database connection check failed'));
  }, everyMs).unref();
}

async function checkVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? '0';
  if (Number.parseInt(version, 10) >= oldestMajor) return;
  throw new StartError(`DATABASE_URL leads to PostgreSQL ${version}; use ${oldestMajor} or newer.`);
}

function toStartError(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error;
  const { host, pathname } = new URL(url);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = error instanceof Error ? error.message || String(code) : String(error);
  const what = `DATABASE_URL leads to ${host}${pathname}, which cannot be used (${reason || code})`;
  if (code === '28P01' || code === '28000')
    return new StartError(`${what}: check its user and password.`, error);
  if (code === '25006') return new StartError(`${what}: use the address of the primary server.`, error);
  if (code === '53300') {
    const advice = 'raise its max_connections, start fewer processes or lower their DATABASE_CONNECTIONS';
    return new StartError(`${what}: ${advice}.`, error);
  }
  if (code === '3D000') return new StartError(`${what}: create that database first.`, error);
  return new StartError(`${what}: check that PostgreSQL runs there and can be reached.`, error);
}

/**
 * What every database session is set to: the queue's tables are found beside ours, and a nearest-neighbour search
 * goes on until enough rows pass its filter. Compiling a statement takes PostgreSQL seconds, and running ours takes
 * milliseconds.
 */
export const sessionSettings = [
  'set search_path to public, bullmq',
  "set hnsw.iterative_scan to 'strict_order'",
  'set hnsw.ef_search to 100',
  'set jit to off',
].join('; ');

/** Under load a pooler may hand a session back by chance: several rounds make that unlikely. */
const rounds = 5;
const probeMs = 10_000;

/**
 * Throws a StartError where connections share sessions of the server, as behind a pooler in transaction mode: prepared
 * statements, settings and notices of a session would reach other connections, and messages would be sent twice.
 * One connection begins a transaction and so takes the session that the other one has just used, if it can.
 */
async function refuseTransactionPooler(pool: pg.Pool, url: string): Promise<void> {
  const other = await connectBeside(url);
  if (other === null) return;
  try {
    const own = await pool.connect();
    try {
      for (let round = 0; round < rounds; round += 1) {
        if (await sharesSessions(own, other)) throw refusal(url);
      }
    } finally {
      own.release();
    }
  } finally {
    // Ends a transaction that it is in.
    await other.end();
  }
}

/** Null where the server itself has no further connection: a pooler would let this one wait. */
async function connectBeside(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs });
  client.on('error', () => {
    // Its next statement fails.
  });
  try {
    await client.connect();
    // Some poolers keep a session for a connection that has settings of its own, as ours have.
    await client.query(sessionSettings);
    return client;
  } catch (error) {
    await client.end();
    if (isConnectionLimitError(error)) return null;
    throw error;
  }
}

async function sharesSessions(own: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const before = await sessionOf(own);
  await other.query('begin');
  const taken = await sessionOf(other);
  if (taken === before) return true;
  const after = await sessionOf(own);
  await other.query('commit');
  return after !== before;
}

async function sessionOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function refusal(url: string): StartError {
  const { host, pathname } = new URL(url);
  return new StartError(
    `DATABASE_URL leads to ${host}${pathname} through a pooler in transaction mode, which loses what Parley keeps in a session: use session mode, or the address of PostgreSQL itself.`,
  );
}
