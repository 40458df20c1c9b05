import { sql } from 'kysely';
import type { Runtime } from '../runtime.ts';
import type { DocumentTable } from '../storage/knowledge-tables.ts';
import { type IngestPlace, ingestJob } from './ingest-job.ts';
import { lastPlace } from './place-in-line.ts';

interface Wanted {
  readonly statuses: readonly DocumentTable['status'][];
  /** Those only that nothing was said of since. */
  readonly before: Date;
  /** All of them when absent. */
  readonly most?: number;
}

/** Wakes workers for documents that they have something to do with, oldest first, whatever became of their jobs. */
export async function wakeDocuments(
  runtime: Pick<Runtime, 'database' | 'queue'> & IngestPlace,
  { statuses, before, most }: Wanted,
): Promise<void> {
  const rows = await runtime.database.kysely
    .selectFrom('document')
    .select(['id', 'wanted_revision as revision', 'status'])
    .select(sql<number>`row_number() over (partition by workspace_id order by updated_at)::int`.as('place'))
    .where('status', 'in', [...statuses])
    .where('updated_at', '<=', before)
    .orderBy('updated_at')
    .limit(most ?? null)
    .execute();
  for (const row of rows) {
    const place = Math.min(row.place, lastPlace);
    await runtime.queue.add('ingest', ingestJob(runtime, row), { documentId: row.id }, { place });
  }
}
