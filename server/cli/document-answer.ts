import { z } from 'zod';

/** What the API tells of a document. */
export const documentAnswer = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  progress: z.number(),
  chunks: z.number(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
  updated_at: z.string(),
});

export type DocumentAnswer = z.output<typeof documentAnswer>;
