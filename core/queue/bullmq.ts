import { type Job, UnrecoverableError } from 'bullmq';
import type { Logger } from '../base/log.ts';
import type { JobCounts, QueueProducer, WorkerRole } from './queue-backend.ts';

/** Longer than any pause of the event loop, so that a running job is not taken for a stalled one. */
const lockDuration = 60_000;
/** How often a job may stall because its worker died. Beyond that the job itself is probably the cause. */
const maxStalledCount = 4;

/** Worker options that apply to every backend. */
export const workerOptions = ({ concurrency }: Pick<WorkerRole, 'concurrency'>) => ({
  concurrency,
  lockDuration,
  maxStalledCount,
});

interface BullQueue {
  add(name: string, data: unknown, options: object): Promise<unknown>;
  getJobCounts(...states: (keyof JobCounts | 'prioritized')[]): Promise<Readonly<Record<string, number>>>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

interface BullWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: FailedJob | undefined, error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

type FailedJob = Pick<Job, 'id' | 'data' | 'attemptsMade'> & { readonly opts: { attempts?: number } };

/**
 * An unreachable store reports several errors per second. The same error is logged at most once in this
 * interval.
 */
const LOG_INTERVAL_MS = 30_000;

/** Logs an error unless the same one was logged recently. */
function onError(log: Logger, queue: string, text: string): (err: Error) => void {
  let last = { message: '', at: 0 };
  return (err) => {
    const now = performance.now();
    if (err.message === last.message && now - last.at < LOG_INTERVAL_MS) return;
    last = { message: err.message, at: now };
    log.error({ err, queue }, text);
  };
}

export function createProducer(queue: BullQueue, name: string, log: Logger): QueueProducer {
  queue.on('error', onError(log, name, 'queue error'));
  return {
    async add(payload, options) {
      await queue.add(name, payload, options);
    },
    async counts() {
      const counts = await queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'failed');
      const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = counts;
      return { waiting: waiting + prioritized, delayed, active, failed };
    },
    close: () => queue.close(),
  };
}

export async function runWorker(
  worker: BullWorker,
  { name, role }: { readonly name: string; readonly role: WorkerRole },
  log: Logger,
): Promise<() => Promise<void>> {
  worker.on('error', onError(log, name, 'queue worker error'));
  worker.on('failed', (job, error) => {
    if (job === undefined) return;
    role.failed(job.data, {
      error,
      jobId: job.id,
      attempt: job.attemptsMade,
      isLast: job.attemptsMade >= (job.opts.attempts ?? 1) || error instanceof UnrecoverableError,
    });
  });
  await worker.waitUntilReady();
  return () => worker.close();
}
