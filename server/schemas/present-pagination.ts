import type { z } from 'zod';
import type { Page } from '../../core/pagination.ts';
import type { paginationSchema } from './pagination-schema.ts';

export function presentPagination({ nextCursor }: Page<unknown>): z.output<typeof paginationSchema> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null };
}
