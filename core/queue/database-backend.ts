import { createPostgresBackend, isPgPool, runMigrations, withBackend } from 'bullmq';
import type { Logger } from '../log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { lockDurationMs, producerOn, runWorker } from './bull-parts.ts';
import type { QueueBackend } from './queue-backend.ts';

const bull = withBackend(createPostgresBackend);

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
    openProducer: (name) => producerOn(new bull.Queue(name, { connection }), name, log),
    openWorker(name, role) {
      const worker = new bull.Worker(name, (job) => role.run(job.data), {
        connection,
        concurrency: role.concurrency,
        lockDuration: lockDurationMs,
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
