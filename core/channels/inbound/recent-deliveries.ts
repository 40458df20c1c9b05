import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../storage/tables/tables.ts';

const limit = 50;

const deliverySchema = z.object({
  direction: z.enum(['in', 'out']),
  outcome: z.enum([
    'waiting',
    'answered',
    'handled',
    'sent',
    'delivered',
    'read',
    'held',
    'withheld',
    'failed',
  ]),
  reason: z.string().nullable(),
  attempts: z.int(),
  at: z.date(),
  ms: z.number().nullable(),
});

/** One event of a visitor, or one part of an answer, without its content. `ms` is how long it took. */
export type RecentDelivery = z.output<typeof deliverySchema>;
export const deliveryDirections = deliverySchema.shape.direction.options;
export const deliveryOutcomes = deliverySchema.shape.outcome.options;

/** Returns the latest events and parts of a channel, latest first. Events are kept for two days. */
export async function listDeliveries(
  database: Kysely<Tables>,
  { workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string },
): Promise<readonly RecentDelivery[]> {
  const { rows } = await sql`
    select * from (
      (select 'in' as direction,
        case when failure is not null and handled_at is null then 'failed' when handled_at is null then 'waiting'
             when answer_id is null then 'handled' else 'answered' end as outcome,
        failure as reason, attempts, received_at as at,
        (extract(epoch from handled_at - received_at) * 1000)::float8 as ms
      from inbound_event where channel_id = ${channelId} and workspace_id = ${workspaceId}
      order by number desc limit ${limit})
      union all
      (select 'out' as direction,
        case outbound_part.status when 'dead' then 'failed' when 'collectable' then 'waiting' else outbound_part.status end
          as outcome,
        failure as reason, attempts, created_at as at,
        (extract(epoch from sent_at - created_at) * 1000)::float8 as ms
      from outbound_part where channel_id = ${channelId} and workspace_id = ${workspaceId}
      order by number desc limit ${limit})
    ) as deliveries
    order by at desc limit ${limit}
  `.execute(database);
  return z.array(deliverySchema).parse(rows);
}
