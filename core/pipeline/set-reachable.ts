import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';

interface Reach {
  readonly reachable: boolean;
  /** What the visitor wishes himself is kept apart from what the platform can do. */
  readonly opted_out?: boolean;
}

/** Says whether the platform takes anything for a lane. */
export async function setReachable(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  reach: Reach,
): Promise<void> {
  await database
    .updateTable('lane')
    .set(reach)
    .where('channel_id', '=', channelId)
    .where('lane', '=', lane)
    .execute();
}
