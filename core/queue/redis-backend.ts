import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { StartError } from '../start-error.ts';
import { producerOn, runWorker, workerOptions } from './bull-parts.ts';
import type { QueueBackend } from './queue-backend.ts';

/**
 * Longer than any command waits, those that wait for jobs too: a Redis whose machine died would be waited for for a quarter
 * of an hour.
 */
const longestSilenceMs = 20_000;

/** BullMQ on Redis. Throws a StartError when it cannot be reached. */
export async function openRedisBackend(
  url: string,
  log: Logger,
  silenceMs = longestSilenceMs,
): Promise<QueueBackend> {
  const connection = await connect(url, silenceMs);
  connection.on('error', (err) => log.error({ err }, 'the connection to Redis failed'));
  return {
    openProducer: (name) => producerOn(new Queue(name, { connection }), name, log),
    openWorker(name, role) {
      const worker = new Worker(name, (job) => role.run(job.data), {
        connection,
        ...workerOptions(role),
      });
      return runWorker(worker, { name, role }, log);
    },
    async ping() {
      await connection.ping();
    },
    async close() {
      await connection.quit();
    },
  };
}

/** At the start one refusal is enough; afterwards the connection is tried again for ever. */
async function connect(url: string, silenceMs: number): Promise<Redis> {
  let started = false;
  const connection = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    socketTimeout: silenceMs,
    // In a failover it became a replica: its name leads to another one by now, or soon.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    retryStrategy: (times) => (started ? Math.min(times * 200, 5_000) : null),
  });
  let lastError: unknown;
  const remember = (error: unknown) => {
    lastError = error;
  };
  connection.on('error', remember);
  try {
    await connection.connect();
    await connection.ping();
  } catch (error) {
    connection.disconnect();
    const { host } = new URL(url);
    throw new StartError(
      `REDIS_URL leads to ${host}, which cannot be used (${reasonOf(lastError ?? error)}): check that Redis runs there.`,
      error,
    );
  }
  connection.off('error', remember);
  started = true;
  return connection;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
