import { type Kysely, sql, type Transaction } from 'kysely';
import { storedJson } from '../../base/text.ts';
import type { Json } from '../../contract/account.ts';
import type { RememberedValue } from '../../contract/inbound.ts';
import { batchRows, type TaskContext } from '../../storage/maintenance-task.ts';
import type { Tables } from '../../storage/tables/tables.ts';

interface NewValues {
  readonly channelId: string;
  readonly remember: readonly RememberedValue[];
  readonly now: Date;
}

/** Stores values that a channel will need. A value that is known already stays. */
export async function rememberNewValues(
  transaction: Transaction<Tables>,
  { channelId, remember, now }: NewValues,
): Promise<void> {
  for (const { key, value } of remember) {
    await sql`
      insert into channel_memory (channel_id, key, value, at)
      values (${channelId}, ${key}, ${JSON.stringify(value)}::jsonb, ${now})
      on conflict (channel_id, key) do nothing
    `.execute(transaction);
  }
}

/** Returns the values that deliveries of the channel, or of its child channels, asked to remember. */
export async function loadRememberedValues(
  database: Kysely<Tables>,
  channelId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Json>> {
  if (keys.length === 0) return new Map();
  const rows = await database
    .selectFrom('channel_memory')
    .select(['key', 'value'])
    .where('channel_id', 'in', (from) =>
      from
        .selectFrom('channel')
        .select('id')
        .where((where) => where.or([where('id', '=', channelId), where('parent_id', '=', channelId)])),
    )
    .where('key', 'in', [...new Set(keys)])
    .execute();
  return new Map(rows.map(({ key, value }) => [key, storedJson.parse(value)]));
}

/** Longer than people usually resume an email thread. */
const MEMORY_RETENTION_DAYS = 400;

/** Deletes remembered values that no delivery has refreshed for that time. */
export async function purgeRememberedValues({ transaction, now }: TaskContext): Promise<number> {
  const before = new Date(now.getTime() - MEMORY_RETENTION_DAYS * 24 * 3_600_000);
  const { numAffectedRows } = await sql`
    delete from channel_memory where (channel_id, key) in (
      select channel_id, key from channel_memory
      where at < ${before}
      limit ${batchRows}
      for update skip locked
    )
  `.execute(transaction);
  return Number(numAffectedRows ?? 0n);
}
