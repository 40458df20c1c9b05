import { z } from 'zod';

/** What each kind of background work is told: ids, never contents. */
interface JobPayloads {
  readonly ingest: { readonly documentId: string };
}

export const jobNames = ['ingest'] as const;

export type JobName = (typeof jobNames)[number];
export type JobPayload<Name extends JobName> = JobPayloads[Name];

interface JobKind<Payload> {
  readonly payload: z.ZodType<Payload>;
  /** How often it is tried in all. */
  readonly attempts: number;
  /** The wait before the second try; later waits double. */
  readonly backoffMs: number;
}

export const jobCatalogue: { readonly [Name in JobName]: JobKind<JobPayloads[Name]> } = {
  ingest: { payload: z.object({ documentId: z.string() }), attempts: 5, backoffMs: 1_000 },
};
