import { z } from 'zod';

/** Where the next page of a list begins. */
export const paginationSchema = z
  .object({
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'Pagination' });
