import { sql, type Transaction } from 'kysely';
import { digitsOf } from '../../base/text.ts';
import type { Tables } from '../../storage/tables/tables.ts';

interface Lane {
  readonly channel_id: string;
  readonly lane: string;
}

/** Returns the lanes of conversations. To be called before the conversations are deleted. */
export function findLanes(
  transaction: Transaction<Tables>,
  conversations: readonly string[],
): Promise<Lane[]> {
  return transaction
    .selectFrom('lane')
    .select(['channel_id', 'lane'])
    .where('conversation_id', 'in', [...conversations])
    .execute();
}

interface Address {
  readonly field: 'email' | 'phone';
  readonly value: string;
}

/** Erases lanes whose conversation is already deleted, by the e-mail address or phone number that they contain. */
export async function eraseAddressedLanes(
  transaction: Transaction<Tables>,
  workspaceId: string,
  { field, value }: Address,
): Promise<bigint> {
  const isTheirs =
    field === 'email'
      ? sql<boolean>`lower(sender) = lower(${value})`
      : sql<boolean>`address is not null and exists (
          select from jsonb_each_text(case when jsonb_typeof(address) = 'object' then address else '{}' end) part
          where length(${digitsOf(value)}::text) >= 5
            and regexp_replace(part.value, '[^0-9]', '', 'g') = ${digitsOf(value)}
        )`;
  const lanes = await transaction
    .selectFrom('lane')
    .select(['channel_id', 'lane'])
    .where('workspace_id', '=', workspaceId)
    .where(isTheirs)
    .execute();
  return eraseLanes(transaction, lanes);
}

/**
 * Deletes lanes and the values that channels remember for them. A lane with a waiting message, or one that a worker
 * holds, stays: its message is newer than the request to erase. A lane that opted out stays, so that no message is sent
 * to it.
 */
export async function eraseLanes(transaction: Transaction<Tables>, lanes: readonly Lane[]): Promise<bigint> {
  let erased = 0n;
  for (const { channel_id, lane } of lanes) {
    await transaction
      .deleteFrom('channel_memory')
      .where('channel_id', '=', channel_id)
      .where(sql<boolean>`(key = ${`lane:${lane}`} or value ->> 'lane' = ${lane})`)
      .execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('lane')
      .where('channel_id', '=', channel_id)
      .where('lane', '=', lane)
      .where('opted_out', '=', false)
      .where('holder', 'is', null)
      .where(
        sql<boolean>`not exists (
          select from inbound_event
          where inbound_event.channel_id = lane.channel_id and inbound_event.lane = lane.lane and handled_at is null
        )`,
      )
      .executeTakeFirst();
    erased += numDeletedRows;
  }
  return erased;
}
