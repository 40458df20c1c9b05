import { z } from 'zod';

/** The query parameters of every list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().meta({ description: 'next_cursor of the page before.' }),
});
