import { z } from 'zod';

/** The times that the stand-in noted of a request, by the number in its question, on the monotonic clock. */
export const momentsSchema = z.object({
  number: z.number(),
  /** The time of the first word; absent if the connection was closed before. */
  wordAt: z.number().optional(),
  endedAt: z.number().optional(),
  /** Whether the other side closed the connection. */
  isCut: z.boolean().default(false),
});

export type Moments = z.output<typeof momentsSchema>;
