import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables/tables.ts';
import type { RetryableQueue } from '../queue-overview.ts';

/** Which failures of a queue are meant. Absent fields limit nothing. */
export const failureFilterSchema = z.object({
  channel_id: z.string().max(100).optional(),
  /** The whole reason, as a group shows it. */
  reason: z.string().max(4_000).optional(),
  /** When the message was received, or the part written. */
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});
export type FailureFilter = z.output<typeof failureFilterSchema>;

/** Failures with the same reason. */
interface FailureGroup {
  readonly reason: string | null;
  readonly count: number;
  /** Those among them that a retry takes: a platform refused the others for good. */
  readonly retriable: number;
  readonly channels: number;
  readonly workspaces: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
}

/** The rows of a queue and the names of its columns. */
interface FailedRows {
  readonly table: 'inbound_event' | 'outbound_part';
  readonly isFailed: RawBuilder<unknown>;
  readonly isRetriable: RawBuilder<boolean>;
  readonly at: RawBuilder<Date>;
}

export const failedRows: Readonly<Record<RetryableQueue, FailedRows>> = {
  answer: {
    table: 'inbound_event',
    isFailed: sql`failure is not null and handled_at is null`,
    isRetriable: sql<boolean>`true`,
    at: sql<Date>`received_at`,
  },
  deliver: {
    table: 'outbound_part',
    isFailed: sql`status in ('dead', 'failed')`,
    isRetriable: sql<boolean>`status = 'dead'`,
    at: sql<Date>`created_at`,
  },
};

/** The condition of a filter on the failed rows of a queue. */
export function matchFilter(queue: RetryableQueue, filter: FailureFilter): RawBuilder<boolean> {
  const { isFailed, at } = failedRows[queue];
  const { channel_id: channelId, reason, from, until } = filter;
  const conditions = [
    isFailed,
    ...(channelId === undefined ? [] : [sql`channel_id = ${channelId}`]),
    ...(reason === undefined ? [] : [sql`coalesce(failure, '') = ${reason}`]),
    ...(from === undefined ? [] : [sql`${at} >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`${at} < ${until}::timestamptz`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

const MAX_GROUPS = 100;

/** Returns the failures of a queue by reason, the most frequent first, at most a hundred. */
export async function groupFailures(
  database: Kysely<Tables>,
  queue: RetryableQueue,
  filter: FailureFilter,
): Promise<readonly FailureGroup[]> {
  const { table, isRetriable, at } = failedRows[queue];
  const { rows } = await sql<FailureGroup>`
    select failure as reason, count(*)::int as count, (count(*) filter (where ${isRetriable}))::int as retriable,
           count(distinct channel_id)::int as channels, count(distinct workspace_id)::int as workspaces,
           min(${at}) as "oldestAt", max(${at}) as "newestAt"
    from ${sql.table(table)} where ${matchFilter(queue, filter)}
    group by failure order by count(*) desc, failure limit ${MAX_GROUPS}
  `.execute(database);
  return rows;
}
