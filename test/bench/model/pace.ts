import { z } from 'zod';

/** How the stand-in answers. */
export const paceSchema = z.object({
  /** The time before its first word. */
  shortestThoughtMs: z.number(),
  /** The spread of that time, evenly over the numbers of the questions, so that no two streams go in step. */
  thoughtSpreadMs: z.number(),
  sentences: z.number(),
});

export type Pace = z.output<typeof paceSchema>;
