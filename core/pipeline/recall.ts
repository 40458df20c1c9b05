import type { Kysely } from 'kysely';
import type { Json } from '../contract/json.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';

/** What deliveries of a channel, or of one that is under it, asked to remember under these keys. */
export async function recall(
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
