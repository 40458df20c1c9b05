import type pg from 'pg';
import { runInBackground } from '../async.ts';
import { StartError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type Backend, busyBackends, writableBackend } from './backends.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { PatientPool } from './patient-pool.ts';
import { sessionSettings } from './session-settings.ts';
import { refuseTransactionPooler } from './transaction-pooler.ts';

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
  const pool = new PatientPool({
    log,
    max,
    config: {
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis,
      connectionTimeoutMillis: 10_000,
      onConnect: async (client) => {
        await client.query([sessionSettings, notGoingOn, settings].join('; '));
        const backend = await writableBackend(client);
        if (backend !== null) backends.set(client, backend);
      },
    },
  });
  const watch = new ConnectionWatch({ busyBackends: () => busyBackends(url), log });
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
    throw explain(error, url);
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

function explain(error: unknown, url: string): unknown {
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
