import { setTimeout as wait } from 'node:timers/promises';
import { createPostgresBackend, isPgPool, runMigrations, withBackend } from 'bullmq';
import type { Logger } from '../base/log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { isDatabaseFault } from '../storage/sql-errors.ts';
import { createProducer, runWorker, workerOptions } from './bullmq.ts';
import type { QueueBackend } from './queue-backend.ts';

const FAULT_PAUSE_MS = 1_000;

/**
 * Delays the next request after a database fault. BullMQ workers ask for the next job again immediately, which
 * would cause thousands of requests and log lines per second.
 */
const createPausingBackend: typeof createPostgresBackend = (...options) => {
  const backend = createPostgresBackend(...options);
  const next = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...request) => {
    try {
      return await next(...request);
    } catch (error) {
      if (isDatabaseFault(error)) await wait(FAULT_PAUSE_MS);
      throw error;
    }
  };
  return backend;
};

const bull = withBackend(createPausingBackend);

/** Opens BullMQ on the database, in a schema of its own, and applies BullMQ's migrations. */
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
  throw new TypeError('expected a database pool');
}
