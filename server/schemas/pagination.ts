import { z } from 'zod';
import type { Page } from '../../core/pagination.ts';

/** The query parameters of every list. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().optional().meta({ description: 'next_cursor of the page before.' }),
});

/** Where the next page of a list begins. */
export const paginationSchema = z
  .object({
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'Pagination' });

export function presentPagination({ nextCursor }: Page<unknown>): z.output<typeof paginationSchema> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null };
}
