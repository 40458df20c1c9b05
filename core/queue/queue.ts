import type { Logger } from '../base/log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { openDatabaseBackend } from './database-backend.ts';
import { type JobName, type JobPayload, jobCatalogue, jobNames } from './job-catalogue.ts';
import { type LocalSlot, LocalWorker } from './local-worker.ts';
import type { JobCounts, QueueBackend, QueueProducer } from './queue-backend.ts';

interface JobHandler<Name extends JobName> {
  readonly run: (payload: JobPayload<Name>) => Promise<void>;
  /** Runs after the last attempt. It must record the failure where an operator sees it. */
  readonly givenUp: (payload: JobPayload<Name>, error: Error) => Promise<void>;
  readonly concurrency: number;
}

interface AddOptions {
  readonly delayMs?: number;
  /** Priority from 1, lower first. Jobs without one come before all others. */
  readonly place?: number;
}

export interface JobQueue {
  /**
   * Adds a job, now or later. It does nothing if a job with the same id is waiting or running, or if an immediate job
   * with the same payload waits in this process. Rejects with `upstream_timeout` if Redis is unreachable; the job is
   * then added after reconnecting.
   */
  add<Name extends JobName>(
    name: Name,
    id: string,
    payload: JobPayload<Name>,
    options?: AddOptions,
  ): Promise<void>;
  /**
   * Reserves a slot in this process for a job that is about to be added. Null if it would wait for long or must
   * use the queue.
   */
  reserve(name: JobName, owner: string): LocalSlot | null;
  /** True if jobs wait for running ones. A long job should then requeue itself. */
  isCrowded(name: JobName): boolean;
  /** Starts taking jobs. The returned function stops and resolves when running jobs are done. */
  work<Name extends JobName>(name: Name, handler: JobHandler<Name>): Promise<() => Promise<void>>;
  /** Returns the number of jobs in each state, by kind. Rejects as `add` does. */
  depths(): Promise<readonly { readonly name: JobName; readonly counts: JobCounts }[]>;
  /** Rejects if jobs cannot be stored. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface RedisLocation {
  readonly url: string;
  /** Prefix of the queue names, so that installations can share a Redis server. */
  readonly databaseId: string;
}

interface QueueOptions {
  readonly pool: DatabasePool;
  /** If undefined, the queue is stored in the database. */
  readonly redis: RedisLocation | undefined;
  /** True if no other process can use this database. */
  readonly alone?: boolean;
}

/**
 * Concurrency that fills the process, or the single session of the embedded database. More jobs would only
 * delay webhook acknowledgements and receipts.
 */
const MAX_CONCURRENCY_BUSY = 18;
const MAX_CONCURRENCY_EMBEDDED = 6;
/** Each owner can always run this many jobs, whatever the others have queued. */
const MIN_PER_OWNER = 8;

/**
 * Opens BullMQ on Redis if configured, otherwise on the database. Throws a StartError if Redis is unreachable.
 */
export async function openQueue(
  { pool, redis, alone = false }: QueueOptions,
  log: Logger,
): Promise<JobQueue> {
  const backend = await openBackend(pool, redis, log);
  const producers = new Map<JobName, QueueProducer>();
  const near = new Map<JobName, LocalWorker>();

  const getProducer = (name: JobName): QueueProducer => {
    const producer = producers.get(name) ?? backend.openProducer(name);
    producers.set(name, producer);
    return producer;
  };

  const add: JobQueue['add'] = async (name, id, payload, { delayMs = 0, place = 0 } = {}) => {
    const { attempts, backoffMs, keepFailed } = jobCatalogue[name];
    await getProducer(name).add(payload, {
      jobId: id,
      attempts,
      backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: !keepFailed,
      delay: delayMs,
      priority: place,
    });
  };

  /** Runs jobs that are added in this process directly, in addition to jobs from the queue. */
  const createLocalWorker = <Name extends JobName>(
    name: Name,
    { concurrency, run }: JobHandler<Name>,
    { gate, maxBeforeReserve }: { readonly gate: AdaptiveConcurrency; readonly maxBeforeReserve: number },
  ): LocalWorker => {
    const parse = parsePayload(name);
    return new LocalWorker({
      // If no other process can run the job, the queue would only be slower.
      capacity: alone ? Number.POSITIVE_INFINITY : concurrency,
      ...{ gate, maxBeforeReserve, minPerOwner: MIN_PER_OWNER },
      run: (payload) => run(parse(payload)),
      async passOn({ id, payload }, error) {
        if (error !== undefined) log.warn({ err: error, queue: name, job: id }, 'job failed');
        await add(name, id, parse(payload)).catch((err: unknown) => {
          log.error({ err, queue: name, job: id }, 'requeueing a job failed');
        });
      },
    });
  };

  return {
    async add(name, id, payload, options = {}) {
      const isNow = (options.delayMs ?? 0) === 0;
      const owner = jobCatalogue[name].near?.(payload) ?? '';
      if (isNow && near.get(name)?.tryRun({ id, payload, owner })) return;
      await add(name, id, payload, options);
    },
    reserve: (name, owner) => near.get(name)?.reserveSlot(owner) ?? null,
    isCrowded: (name) => near.get(name)?.isCrowded ?? false,
    depths: () =>
      Promise.all(
        jobNames.map(async (name) => {
          const counts = await getProducer(name).counts();
          return { name, counts: { ...counts, active: counts.active + (near.get(name)?.size ?? 0) } };
        }),
      ),
    ping: () => backend.ping(),
    async work(name, handler) {
      const { near: ownerOf } = jobCatalogue[name];
      if (ownerOf === null) return startWorker(backend, log, { name, handler });
      // It is twice the concurrency: for jobs added here and for jobs from the queue.
      const maxWhenBusy = alone ? MAX_CONCURRENCY_EMBEDDED : MAX_CONCURRENCY_BUSY;
      const gate = new AdaptiveConcurrency({
        ...{ most: 2 * handler.concurrency, least: MIN_PER_OWNER },
        mostWhenBusy: maxWhenBusy,
      });
      const run: typeof handler.run = (payload) => gate.run(ownerOf(payload), () => handler.run(payload));
      const stop = await startWorker(backend, log, { name, handler: { ...handler, run } });
      const worker = createLocalWorker(name, handler, { gate, maxBeforeReserve: 2 * maxWhenBusy });
      near.set(name, worker);
      return async () => {
        await Promise.all([worker.close(), stop()]);
      };
    },
    async close() {
      await Promise.all([...producers.values()].map((producer) => producer.close()));
      await backend.close();
    },
  };
}

async function openBackend(
  pool: DatabasePool,
  redis: RedisLocation | undefined,
  log: Logger,
): Promise<QueueBackend> {
  if (redis === undefined) return openDatabaseBackend(pool, log);
  // The Redis client is only loaded if it is needed.
  const { openRedisBackend } = await import('./redis-backend.ts');
  return openRedisBackend(redis, log);
}

function startWorker<Name extends JobName>(
  backend: QueueBackend,
  log: Logger,
  { name, handler }: { readonly name: Name; readonly handler: JobHandler<Name> },
): Promise<() => Promise<void>> {
  const parse = parsePayload(name);
  return backend.openWorker(name, {
    concurrency: handler.concurrency,
    run: (data) => handler.run(parse(data)),
    failed(data, { error, attempt, isLast, jobId }) {
      log[isLast ? 'error' : 'warn']({ err: error, queue: name, job: jobId, attempt }, 'job failed');
      if (!isLast) return;
      handler.givenUp(parse(data), error).catch((err: unknown) => {
        log.error({ err, queue: name, job: jobId }, 'recording a job failure failed');
      });
    },
  });
}

function parsePayload<Name extends JobName>(name: Name): (data: unknown) => JobPayload<Name> {
  return (data) => jobCatalogue[name].payload.parse(data);
}
