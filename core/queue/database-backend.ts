import { setTimeout as wait } from 'node:timers/promises';
import { createPostgresBackend, isPgPool, runMigrations, withBackend } from 'bullmq';
import type { Logger } from '../log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { isDatabaseFault } from '../storage/sql-errors.ts';
import { createProducer, runWorker, workerOptions } from './bullmq.ts';
import type { QueueBackend } from './queue-backend.ts';

const afterFaultMs = 1_000;

/** A worker asks for its next job again at once, whatever came of it: thousands of times a second, each with its line of log. */
const unhurried: typeof createPostgresBackend = (...given) => {
  const backend = createPostgresBackend(...given);
  const next = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...asked) => {
    try {
      return await next(...asked);
    } catch (error) {
      if (isDatabaseFault(error)) await wait(afterFaultMs);
      throw error;
    }
  };
  return backend;
};

const bull = withBackend(unhurried);

/** BullMQ in the database itself, in a schema of its own; its tables are brought up to date here. */
export async function openDatabaseBackend(pool: DatabasePool, log: Logger): Promise<QueueBackend> {
  const connection = poolForQueue(pool);
  const client = await connection.connect();
  try {
    await runMigrations(client, 'bullmq', { skipVersionCheck: true });
  } finally {
    client.release();
  }
  return {
    openProducer: (name) => createProducer(new bull.Queue(name, { connection }), name, log),
    openWorker(name, role) {
      const worker = new bull.Worker(name, (job) => role.run(job.data), {
        connection,
        ...workerOptions(role),
      });
      return runWorker(worker, { name, role }, log);
    },
    async ping() {
      await pool.query('select from bullmq.job limit 0');
    },
    close: async () => {},
  };
}

function poolForQueue(pool: unknown) {
  if (isPgPool(pool)) return pool;
  throw new TypeError('not a database pool');
}
