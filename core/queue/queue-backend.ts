import type { JobsOptions } from 'bullmq';

/** How many jobs of a queue are in each state. */
export type JobCounts = Readonly<Record<'waiting' | 'delayed' | 'active' | 'failed', number>>;

export interface QueueProducer {
  add(payload: unknown, options: JobsOptions): Promise<void>;
  counts(): Promise<JobCounts>;
  close(): Promise<void>;
}

interface FailedTry {
  readonly error: Error;
  readonly jobId: string | undefined;
  /** Which try this was, from 1. */
  readonly attempt: number;
  readonly attempts: number;
}

export interface WorkerRole {
  readonly concurrency: number;
  readonly run: (data: unknown) => Promise<void>;
  readonly failed: (data: unknown, failure: FailedTry) => void;
}

/** What we use of BullMQ, whose types differ by the store beneath. */
export interface QueueBackend {
  openProducer(name: string): QueueProducer;
  /** The returned function stops taking jobs and resolves when those that run are done. */
  openWorker(name: string, role: WorkerRole): Promise<() => Promise<void>>;
  /** Rejects when the store cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
