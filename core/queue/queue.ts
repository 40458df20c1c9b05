import type { Logger } from '../log.ts';
import type { DatabasePool } from '../storage/database.ts';
import { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { openDatabaseBackend } from './database-backend.ts';
import { type JobName, type JobPayload, jobCatalogue, jobNames } from './job-catalogue.ts';
import { type LocalSlot, LocalWorker } from './local-worker.ts';
import type { JobCounts, QueueBackend, QueueProducer } from './queue-backend.ts';

interface JobHandler<Name extends JobName> {
  readonly run: (payload: JobPayload<Name>) => Promise<void>;
  /** After the last try: what is left undone has to be recorded where a person sees it. */
  readonly givenUp: (payload: JobPayload<Name>, error: Error) => Promise<void>;
  readonly concurrency: number;
}

interface AddOptions {
  readonly delayMs?: number;
  /** From 1; those with a lower one come first, and those without one before all. */
  readonly place?: number;
}

export interface JobQueue {
  /**
   * Wakes a worker, now or later. A job with the id of one that waits or runs is not added again, nor one for now that has
   * to do what one does that waits in this process. Rejects with `upstream_timeout` where Redis is away: it is added when
   * that is back.
   */
  add<Name extends JobName>(
    name: Name,
    id: string,
    payload: JobPayload<Name>,
    options?: AddOptions,
  ): Promise<void>;
  /** A place in this process for a job that is about to come up; null where it would wait for long, or go elsewhere. */
  reserve(name: JobName, owner: string): LocalSlot | null;
  /** Whether jobs wait for those that run here: one that goes on for long had better come again. */
  isCrowded(name: JobName): boolean;
  /** Takes jobs from now on; the returned function stops taking and resolves when what runs is done. */
  work<Name extends JobName>(name: Name, handler: JobHandler<Name>): Promise<() => Promise<void>>;
  /** Of every kind of job how many are in each state. Rejects as `add` does. */
  depths(): Promise<readonly { readonly name: JobName; readonly counts: JobCounts }[]>;
  /** Rejects when jobs cannot be stored. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface RedisPlace {
  readonly url: string;
  /** Names the queues: installations that share a Redis do not share them. */
  readonly databaseId: string;
}

interface QueueOptions {
  readonly pool: DatabasePool;
  /** Where there is none the queue is in the database. */
  readonly redis: RedisPlace | undefined;
  /** Whether no other process can be at this database. */
  readonly alone?: boolean;
}

/**
 * So many fill the process, and one session of a database where it has no more than that: others would only hold up
 * whoever wants to be thanked, and the notes of what was sent.
 */
const maxConcurrencyBusy = 18;
const maxConcurrencyAlone = 6;
/** As much of each owner is done beside whatever the others have come up with. */
const minPerJob = 8;

/** BullMQ on Redis where there is one, else on the database. Throws a StartError when Redis cannot be reached. */
export async function openQueue(
  { pool, redis, alone = false }: QueueOptions,
  log: Logger,
): Promise<JobQueue> {
  const backend = await openBackend(pool, redis, log);
  const producers = new Map<JobName, QueueProducer>();
  const near = new Map<JobName, LocalWorker>();

  const producerOf = (name: JobName): QueueProducer => {
    const producer = producers.get(name) ?? backend.openProducer(name);
    producers.set(name, producer);
    return producer;
  };

  const add: JobQueue['add'] = async (name, id, payload, { delayMs = 0, place = 0 } = {}) => {
    const { attempts, backoffMs, keepFailed } = jobCatalogue[name];
    await producerOf(name).add(payload, {
      jobId: id,
      attempts,
      backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: !keepFailed,
      delay: delayMs,
      priority: place,
    });
  };

  /** Does what comes up in this process, where there is room, beside what comes through the queue. */
  const workNear = <Name extends JobName>(
    name: Name,
    { concurrency, run }: JobHandler<Name>,
    { gate, soon }: { readonly gate: AdaptiveConcurrency; readonly soon: number },
  ): LocalWorker => {
    const parse = parsePayload(name);
    return new LocalWorker({
      // Where nobody else could do it the way through the queue only takes longer.
      room: alone ? Number.POSITIVE_INFINITY : concurrency,
      ...{ gate, soon, least: minPerJob },
      run: (payload) => run(parse(payload)),
      async passOn({ id, payload }, error) {
        if (error !== undefined) log.warn({ err: error, queue: name, job: id }, 'a job failed');
        await add(name, id, parse(payload)).catch((err: unknown) => {
          log.error({ err, queue: name, job: id }, 'a job could not be put back into the queue');
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
          const counts = await producerOf(name).counts();
          return { name, counts: { ...counts, active: counts.active + (near.get(name)?.size ?? 0) } };
        }),
      ),
    ping: () => backend.ping(),
    async work(name, handler) {
      const { near: ownerOf } = jobCatalogue[name];
      if (ownerOf === null) return startWorker(backend, log, { name, handler });
      // As many that came up here, and as many that came through the queue.
      const atOnce = alone ? maxConcurrencyAlone : maxConcurrencyBusy;
      const gate = new AdaptiveConcurrency({
        ...{ most: 2 * handler.concurrency, least: minPerJob },
        mostWhenBusy: atOnce,
      });
      const run: typeof handler.run = (payload) => gate.run(ownerOf(payload), () => handler.run(payload));
      const stop = await startWorker(backend, log, { name, handler: { ...handler, run } });
      const worker = workNear(name, handler, { gate, soon: 2 * atOnce });
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
  redis: RedisPlace | undefined,
  log: Logger,
): Promise<QueueBackend> {
  if (redis === undefined) return openDatabaseBackend(pool, log);
  // Its client is read where there is a Redis only.
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
    failed(data, { error, attempt, attempts, jobId }) {
      const last = attempt >= attempts;
      log[last ? 'error' : 'warn']({ err: error, queue: name, job: jobId, attempt }, 'a job failed');
      if (!last) return;
      handler.givenUp(parse(data), error).catch((err: unknown) => {
        log.error({ err, queue: name, job: jobId }, 'the failure of a job could not be recorded');
      });
    },
  });
}

function parsePayload<Name extends JobName>(name: Name): (data: unknown) => JobPayload<Name> {
  return (data) => jobCatalogue[name].payload.parse(data);
}
