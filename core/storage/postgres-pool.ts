import pg from 'pg';
import type { Logger } from '../log.ts';
import { StartError } from '../start-error.ts';
import { sessionSettings } from './session-settings.ts';

/** The oldest server that pgvector 0.8 and BullMQ are both tested on. */
const oldestMajor = 14;

/**
 * A process that hangs, or whose machine is gone, keeps the rows that it locked for so long: the server cannot tell
 * otherwise until it asks the network, after two hours.
 */
const notGoingOn = "set idle_in_transaction_session_timeout to '60s'";

interface PoolOptions {
  readonly max?: number;
  /** Statements for each session, beside what every session is set to. */
  readonly settings?: string;
}

/** Connects to a PostgreSQL server. Throws a StartError that says what to do when it cannot, or when it is too old. */
export async function openPostgresPool(
  url: string,
  log: Logger,
  { max = 20, settings = '' }: PoolOptions = {},
): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    onConnect: async (client) => {
      await client.query([sessionSettings, notGoingOn, settings].join('; '));
    },
  });
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
  } catch (error) {
    await pool.end();
    throw explain(error, url);
  }
  return pool;
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
  if (code === '3D000') return new StartError(`${what}: create that database first.`, error);
  return new StartError(`${what}: check that PostgreSQL runs there and can be reached.`, error);
}
