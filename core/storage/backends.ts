import pg from 'pg';

/** A session of the server, such that no later one is taken for it. */
export type Backend = string;

const probeMs = 5_000;

/** A process number may be given again, and another server has its own. */
const backendName = "concat_ws(' ', pid, extract(epoch from backend_start))";

/**
 * The connection's own; null where the server does not say. Throws where it can only be read: a standby answers what is
 * read, and would be kept for that, and after a failover its name may lead to it for a while.
 */
export async function writableBackend(client: pg.ClientBase): Promise<Backend | null> {
  const { rows } = await client.query<{ read_only: string; backend: Backend | null }>(
    `select current_setting('transaction_read_only') as read_only,
            (select ${backendName} from pg_stat_activity where pid = pg_backend_pid()) as backend`,
  );
  const [own] = rows;
  if (own?.read_only === 'off') return own.backend;
  throw Object.assign(new Error('The database can only be read.'), { code: '25006' });
}

/** Those that are at a statement, asked by a connection that is made for it. Rejects where there can be none. */
export async function busyBackends(url: string): Promise<ReadonlySet<Backend>> {
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
