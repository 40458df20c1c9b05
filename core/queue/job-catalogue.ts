import { z } from 'zod';

/** What a channel said, or is to be told, in one conversation of its own. */
interface LaneJob {
  readonly channelId: string;
  readonly lane: string;
}

/** What each kind of background work is told: ids, never contents. */
interface JobPayloads {
  readonly ingest: { readonly documentId: string };
  readonly webhooks: { readonly deliveryId: string };
  readonly summarise: { readonly conversationId: string };
  readonly answer: LaneJob;
  readonly deliver: LaneJob;
}

export const jobNames = ['ingest', 'webhooks', 'summarise', 'answer', 'deliver'] as const;

const laneJob = z.object({ channelId: z.string(), lane: z.string() });

export type JobName = (typeof jobNames)[number];
export type JobPayload<Name extends JobName> = JobPayloads[Name];

interface JobKind<Payload> {
  readonly payload: z.ZodType<Payload>;
  /** How often it is tried in all. */
  readonly attempts: number;
  /** The wait before the second try; later waits double. */
  readonly backoffMs: number;
  /** Whether one that was given up stays, for a person to look at. */
  readonly keepFailed: boolean;
  /**
   * Whose turn it takes, of a kind that may be done where it comes up, without the queue: its rows say what there is to do,
   * whoever dies. Null for the others.
   */
  readonly near: ((payload: Payload) => string) | null;
}

const byChannel = ({ channelId }: LaneJob) => channelId;

export const jobCatalogue: { readonly [Name in JobName]: JobKind<JobPayloads[Name]> } = {
  ingest: {
    payload: z.object({ documentId: z.string() }),
    attempts: 5,
    backoffMs: 1_000,
    keepFailed: true,
    near: null,
  },
  // Its rows say what became of a delivery: here a try fails only where the database does.
  webhooks: {
    payload: z.object({ deliveryId: z.string() }),
    attempts: 3,
    backoffMs: 1_000,
    keepFailed: false,
    near: null,
  },
  // The conversation works on without: its next message asks again.
  summarise: {
    payload: z.object({ conversationId: z.string() }),
    attempts: 3,
    backoffMs: 2_000,
    keepFailed: false,
    near: null,
  },
  // The rows of both say what there is to do: a try fails only where the database does.
  answer: { payload: laneJob, attempts: 3, backoffMs: 500, keepFailed: false, near: byChannel },
  deliver: { payload: laneJob, attempts: 3, backoffMs: 500, keepFailed: false, near: byChannel },
};
