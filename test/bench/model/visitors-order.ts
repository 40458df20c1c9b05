import { z } from 'zod';

/** The order for the process of the visitors. */
export const visitorsOrderSchema = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** `{{i}}` becomes the number of the visitor. */
  body: z.string(),
  firstNumber: z.number(),
  streams: z.number(),
  /** All streams of a round are opened together, and the next round begins when all have ended. */
  atOnce: z.number(),
  /** Whether the visitors leave in the middle of the answer. */
  leaves: z.boolean(),
});

/** The times of each visitor, on the monotonic clock. */
export const visitSchema = z.object({
  number: z.number(),
  wordAt: z.number(),
  leftAt: z.number().optional(),
  text: z.string(),
});

export type VisitorsOrder = z.output<typeof visitorsOrderSchema>;
export type StreamVisit = z.output<typeof visitSchema>;
