import type { JobsOptions } from 'bullmq';

/** Number of jobs of a queue in each state. */
export type JobCounts = Readonly<Record<'waiting' | 'delayed' | 'active' | 'failed', number>>;

export interface QueueProducer {
  add(payload: unknown, options: JobsOptions): Promise<void>;
  counts(): Promise<JobCounts>;
  close(): Promise<void>;
}

interface FailedTry {
  readonly error: Error;
  readonly jobId: string | undefined;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** True if no attempt follows: the attempts are used up, or the job's worker died too often. */
  readonly isLast: boolean;
}

export interface WorkerRole {
  readonly concurrency: number;
  readonly run: (data: unknown) => Promise<void>;
  readonly failed: (data: unknown, failure: FailedTry) => void;
}

/** The subset of BullMQ that the product uses. BullMQ's own types differ by store. */
export interface QueueBackend {
  openProducer(name: string): QueueProducer;
  /** The returned function stops taking jobs and resolves when running jobs are done. */
  openWorker(name: string, role: WorkerRole): Promise<() => Promise<void>>;
  /** Rejects if the store is unreachable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
