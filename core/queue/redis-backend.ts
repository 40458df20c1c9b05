import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { rejectOnAbort, whenSettled, withTimeout } from '../async.ts';
import { withDeadline } from '../contract/abort-signal.ts';
import { AppError, StartError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { createProducer, runWorker, workerOptions } from './bullmq.ts';
import type { QueueBackend, QueueProducer } from './queue-backend.ts';

/**
 * Longer than any command waits, those that wait for jobs too: a Redis whose machine died would be waited for for a quarter
 * of an hour.
 */
const longestSilenceMs = 20_000;
/** So long whoever asks something waits for a Redis that is away; it is asked all the same, as soon as it is back. */
const patienceMs = 2_000;
/**
 * More than so many would fill the memory. Nothing is lost with those that are turned away: rows say what there is to do, and
 * sweeps wake for it.
 */
const mostWaiting = 10_000;

interface RedisOptions {
  readonly url: string;
  /** Of the installation: others may share the Redis, and each has queues of its own. */
  readonly databaseId: string;
  readonly silenceMs?: number;
}

/** BullMQ on Redis. Throws a StartError when it cannot be reached. */
export async function openRedisBackend(
  { url, databaseId, silenceMs = longestSilenceMs }: RedisOptions,
  log: Logger,
): Promise<QueueBackend> {
  const connection = await connect(url, silenceMs);
  // In braces, so that the keys of a queue belong together for whatever spreads keys over servers.
  const place = { connection, prefix: `{parley-${databaseId}}` };
  connection.on('error', (err) => log.error({ err }, 'the connection to Redis failed'));
  const promptly = createResponseTimeout();
  return {
    openProducer: (name) => withResponseTimeouts(promptly, createProducer(new Queue(name, place), name, log)),
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
      await promptly(() => connection.ping());
    },
    async close() {
      if (connection.status === 'ready') await withTimeout(patienceMs, quit(connection, log));
      connection.disconnect();
    },
  };
}

/** One that breaks meanwhile has ended as well. */
async function quit(connection: Redis, log: Logger): Promise<void> {
  try {
    await connection.quit();
  } catch (err) {
    log.debug({ err }, 'Redis was gone before the connection to it ended');
  }
}

/** Where Redis is away its workers would end when it is back: it is not told then what became of the last jobs. */
async function stopPromptly(stopped: Promise<void>, running: ReadonlySet<Promise<void>>): Promise<void> {
  const leave = async () => {
    while (running.size > 0) await Promise.allSettled(running);
    await withTimeout(patienceMs, stopped);
  };
  await Promise.race([stopped, leave()]);
}

/** Throws `upstream_timeout` where Redis does not answer. */
type WithResponseTimeout = <Result>(ask: () => Promise<Result>) => Promise<Result>;

function createResponseTimeout(): WithResponseTimeout {
  let waiting = 0;
  return async (ask) => {
    if (waiting >= mostWaiting) throw noResponseError();
    waiting += 1;
    const asked = ask();
    whenSettled(asked, () => {
      waiting -= 1;
    });
    return withDeadline({ timeoutMs: patienceMs }, async (signal) => {
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
    detail: 'The queue does not answer: check Redis (REDIS_URL).',
    cause,
  });
}

function withResponseTimeouts(promptly: WithResponseTimeout, producer: QueueProducer): QueueProducer {
  return {
    add: (payload, options) => promptly(() => producer.add(payload, options)),
    counts: () => promptly(() => producer.counts()),
    close: () => producer.close(),
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
    await refuseCluster(connection, url);
  } catch (error) {
    connection.disconnect();
    throw error instanceof StartError ? error : redisStartError(url, lastError ?? error);
  }
  connection.off('error', remember);
  started = true;
  return connection;
}

/** The keys of one queue would be on several nodes, and none of its commands could be run. */
async function refuseCluster(connection: Redis, url: string): Promise<void> {
  const info = await connection.info('cluster');
  if (!info.includes('cluster_enabled:1')) return;
  throw new StartError(
    `REDIS_URL leads to ${new URL(url).host}, which is a Redis Cluster: use a Redis server without cluster mode, or leave REDIS_URL empty for a queue in the database.`,
  );
}

function redisStartError(url: string, error: unknown): StartError {
  const { host } = new URL(url);
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new StartError(
    `REDIS_URL leads to ${host}, which cannot be used (${reason}): check that Redis runs there.`,
    error,
  );
}
