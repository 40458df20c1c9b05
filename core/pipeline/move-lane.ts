import { type Kysely, sql } from 'kysely';
import type { ConversationRef } from '../contract/account.ts';
import type { Tables } from '../storage/tables.ts';

interface Move {
  readonly channelId: string;
  readonly from: ConversationRef;
  readonly to: ConversationRef;
}

/** The conversation of a lane, and what is still to be sent of it, goes on in another one. */
export async function moveLane(database: Kysely<Tables>, { channelId, from, to }: Move): Promise<void> {
  await sql`
    insert into lane (channel_id, lane, workspace_id, address, conversation_id)
    select channel_id, ${to.lane}, workspace_id, ${JSON.stringify(to.address)}::jsonb, conversation_id
    from lane where channel_id = ${channelId} and lane = ${from.lane}
    on conflict (channel_id, lane) do update
    set address = excluded.address, conversation_id = coalesce(lane.conversation_id, excluded.conversation_id)
  `.execute(database);
  await database
    .updateTable('outbound_part')
    .set({ lane: to.lane })
    .where('channel_id', '=', channelId)
    .where('lane', '=', from.lane)
    .where('status', '=', 'waiting')
    .execute();
}
