import { z } from 'zod';

/** Work in one lane: events to answer, or parts to send. */
interface LaneJob {
  readonly channelId: string;
  readonly lane: string;
}

/** Payloads of the background jobs: ids only, never content. */
interface JobPayloads {
  readonly ingest: { readonly documentId: string };
  readonly webhooks: { readonly deliveryId: string };
  readonly summarise: { readonly conversationId: string };
  readonly bulk: { readonly actionId: string };
  readonly source: { readonly runId: string; readonly slice: number };
  readonly evaluate: { readonly runId: string; readonly slice: number };
  readonly tickets: { readonly importId: string; readonly slice: number };
  /** Without a gap, new questions are sorted; with one, its questions are asked again. */
  readonly gaps: { readonly workspaceId: string; readonly gapId: string | null };
  readonly answer: LaneJob;
  readonly deliver: LaneJob;
}

export const jobNames = [
  'ingest',
  'webhooks',
  'summarise',
  'bulk',
  'source',
  'evaluate',
  'tickets',
  'gaps',
  'answer',
  'deliver',
] as const;

const laneJob = z.object({ channelId: z.string(), lane: z.string() });

export type JobName = (typeof jobNames)[number];
export type JobPayload<Name extends JobName> = JobPayloads[Name];

interface JobKind<Payload> {
  readonly payload: z.ZodType<Payload>;
  /** Total number of attempts. */
  readonly attempts: number;
  /** Wait before the second attempt in milliseconds. Later waits double. */
  readonly backoffMs: number;
  /** If true, failed jobs are kept for an operator. */
  readonly keepFailed: boolean;
  /**
   * Returns the owner of a job that may run in the process that adds it, without the queue, because its state
   * is in database rows and survives a crash. Null for jobs that always use the queue.
   */
  readonly near: ((payload: Payload) => string) | null;
}

const byChannel = ({ channelId }: LaneJob) => channelId;

export const jobCatalogue: { readonly [Name in JobName]: JobKind<JobPayloads[Name]> } = {
  // A job makes a worker look for the document that is next: the rows hold the state, so a job fails only if the
  // database does. The document is the one that it was queued for.
  ingest: {
    payload: z.object({ documentId: z.string() }),
    attempts: 5,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // The rows hold the state of a delivery, so a job fails only if the database does.
  webhooks: {
    payload: z.object({ deliveryId: z.string() }),
    attempts: 3,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // A conversation works without a summary. Its next message queues another attempt.
  summarise: {
    payload: z.object({ conversationId: z.string() }),
    attempts: 3,
    backoffMs: 2_000,
    keepFailed: false,
    near: null,
  },
  // The rows say which conversations are done. Maintenance queues an action again whose job was lost.
  bulk: {
    payload: z.object({ actionId: z.string() }),
    attempts: 5,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // The rows hold the state of a run. Maintenance queues one again whose job was lost.
  source: {
    payload: z.object({ runId: z.string(), slice: z.int() }),
    attempts: 5,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // The rows say which questions were asked. Maintenance queues a run again whose job was lost.
  evaluate: {
    payload: z.object({ runId: z.string(), slice: z.int() }),
    attempts: 3,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // The rows say which tickets were read and answered. Maintenance queues an import again whose job was lost.
  tickets: {
    payload: z.object({ importId: z.string(), slice: z.int() }),
    attempts: 3,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // The rows say which questions were sorted and asked. Maintenance queues the work again whose job was lost.
  gaps: {
    payload: z.object({ workspaceId: z.string(), gapId: z.string().nullable() }),
    attempts: 3,
    backoffMs: 2_000,
    keepFailed: false,
    near: null,
  },
  // The rows hold the state, so a job fails only if the database does.
  answer: { payload: laneJob, attempts: 3, backoffMs: 500, keepFailed: false, near: byChannel },
  deliver: { payload: laneJob, attempts: 3, backoffMs: 500, keepFailed: false, near: byChannel },
};
