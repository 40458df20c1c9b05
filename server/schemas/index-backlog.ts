import { z } from 'zod';
import type { IndexBacklog } from '../../core/knowledge/indexing/index-backlog.ts';

/** Documents that wait for the index. */
export const indexBacklogSchema = z
  .object({
    documents: z
      .int()
      .nonnegative()
      .meta({ description: 'Documents whose newest content is not in the index yet.' }),
    oldest_at: z.iso.datetime().nullable().meta({ description: 'Since when the oldest of them waits.' }),
  })
  .meta({ id: 'IndexBacklog' });

export function presentIndexBacklog({
  documents,
  oldestAt,
}: IndexBacklog): z.output<typeof indexBacklogSchema> {
  return { documents, oldest_at: oldestAt?.toISOString() ?? null };
}
