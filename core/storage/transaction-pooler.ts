import pg from 'pg';
import { StartError } from '../errors.ts';
import { isFull } from './patient-pool.ts';
import { sessionSettings } from './session-settings.ts';

/** Under load a pooler may hand a session back by chance: several rounds make that unlikely. */
const rounds = 5;
const probeMs = 10_000;

/**
 * Throws a StartError where connections share sessions of the server, as behind a pooler in transaction mode: prepared
 * statements, settings and notices of a session would reach other connections, and messages would be sent twice.
 * One connection begins a transaction and so takes the session that the other one has just used, if it can.
 */
export async function refuseTransactionPooler(pool: pg.Pool, url: string): Promise<void> {
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
    if (isFull(error)) return null;
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
