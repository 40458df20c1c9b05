import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { rejectOnAbort, whenSettled, withTimeout } from '../base/async.ts';
import { AppError, StartError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { withDeadline } from '../contract/abort-signal.ts';
import { createProducer, runWorker, workerOptions } from './bullmq.ts';
import type { QueueBackend, QueueProducer } from './queue-backend.ts';

/**
 * Longer than any command takes, including blocking ones. Without it, a Redis server whose machine died would
 * only be noticed after a quarter of an hour.
 */
const MAX_SILENCE_MS = 20_000;
/** Time that a caller waits for an unreachable Redis. The command still runs after reconnecting. */
const RESPONSE_TIMEOUT_MS = 2_000;
/**
 * Limit of commands that wait for Redis, to bound memory. Nothing is lost with rejected ones, because the rows
 * hold the state and sweeps queue the jobs again.
 */
const MAX_WAITING = 10_000;

interface RedisOptions {
  readonly url: string;
  /** Id of the installation, because several may share a Redis server with queues of their own. */
  readonly databaseId: string;
  readonly silenceMs?: number;
}

/** Opens BullMQ on Redis. Throws a StartError if Redis is unreachable. */
export async function openRedisBackend(
  { url, databaseId, silenceMs = MAX_SILENCE_MS }: RedisOptions,
  log: Logger,
): Promise<QueueBackend> {
  const connection = await connect(url, silenceMs);
  // Braces make a hash tag, so that proxies that shard by key keep a queue's keys together.
  const place = { connection, prefix: `{parley-${databaseId}}` };
  connection.on('error', (err) => log.error({ err }, 'connection to Redis failed'));
  const withTimeoutError = createResponseTimeout();
  return {
    openProducer: (name) =>
      withResponseTimeouts(withTimeoutError, createProducer(new Queue(name, place), name, log)),
    async openWorker(name, role) {
      const running = new Set<Promise<void>>();
      const run = async (data: unknown) => {
        const doing = role.run(data);
        running.add(doing);
        await doing.finally(() => running.delete(doing));
      };
      const worker = new Worker(name, (job) => run(job.data), { ...place, ...workerOptions(role) });
      const stop = await runWorker(worker, { name, role }, log).catch((error: unknown) => {
        throw redisStartError(url, error);
      });
      return () => stopPromptly(stop(), running);
    },
    async ping() {
      await withTimeoutError(() => connection.ping());
    },
    async close() {
      if (connection.status === 'ready') await withTimeout(RESPONSE_TIMEOUT_MS, quit(connection, log));
      connection.disconnect();
    },
  };
}

/** Closes the connection. An error is ignored, because a broken connection is closed as well. */
async function quit(connection: Redis, log: Logger): Promise<void> {
  try {
    await connection.quit();
  } catch (err) {
    log.debug({ err }, 'closing the Redis connection failed');
  }
}

/**
 * While Redis is unreachable, its workers would only stop after reconnecting. The results of the last jobs are
 * then not reported to it.
 */
async function stopPromptly(stopping: Promise<void>, running: ReadonlySet<Promise<void>>): Promise<void> {
  const stopWithoutRedis = async () => {
    while (running.size > 0) await Promise.allSettled(running);
    await withTimeout(RESPONSE_TIMEOUT_MS, stopping);
  };
  await Promise.race([stopping, stopWithoutRedis()]);
}

/** Throws `upstream_timeout` if Redis does not respond in time. */
type WithResponseTimeout = <Result>(ask: () => Promise<Result>) => Promise<Result>;

function createResponseTimeout(): WithResponseTimeout {
  let waiting = 0;
  return async (ask) => {
    if (waiting >= MAX_WAITING) throw noResponseError();
    waiting += 1;
    const asked = ask();
    whenSettled(asked, () => {
      waiting -= 1;
    });
    return withDeadline({ timeoutMs: RESPONSE_TIMEOUT_MS }, async (signal) => {
      try {
        return await rejectOnAbort(signal)(asked);
      } catch (error) {
        throw signal.aborted ? noResponseError(error) : error;
      }
    });
  };
}

function noResponseError(cause?: unknown): AppError {
  return new AppError('upstream_timeout', {
    detail: 'The queue does not respond. Check the Redis server (REDIS_URL).',
    cause,
  });
}

function withResponseTimeouts(withTimeoutError: WithResponseTimeout, producer: QueueProducer): QueueProducer {
  return {
    add: (payload, options) => withTimeoutError(() => producer.add(payload, options)),
    counts: () => withTimeoutError(() => producer.counts()),
    close: () => producer.close(),
  };
}

/** Fails at once during the start. After that, reconnects forever. */
async function connect(url: string, silenceMs: number): Promise<Redis> {
  let started = false;
  const connection = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    socketTimeout: silenceMs,
    // After a failover this server is a replica. Its host name leads to the new primary, now or soon.
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
    await refuseCluster(connection, url);
  } catch (error) {
    connection.disconnect();
    throw error instanceof StartError ? error : redisStartError(url, lastError ?? error);
  }
  connection.off('error', remember);
  started = true;
  return connection;
}

/** In a cluster the keys of one queue would be on several nodes, so BullMQ's scripts could not run. */
async function refuseCluster(connection: Redis, url: string): Promise<void> {
  const info = await connection.info('cluster');
  if (!info.includes('cluster_enabled:1')) return;
  throw new StartError(
    `REDIS_URL points to ${new URL(url).host}, which is a Redis Cluster. Set REDIS_URL to a Redis server without cluster mode, or leave it empty to keep the queue in the database.`,
  );
}

function redisStartError(url: string, error: unknown): StartError {
  const { host } = new URL(url);
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new StartError(
    `Cannot use the Redis server ${host} from REDIS_URL: ${reason}. Check that the server runs and that REDIS_URL is correct.`,
    error,
  );
}
