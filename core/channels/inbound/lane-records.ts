import { type Kysely, sql, type Transaction } from 'kysely';
import { storedJson } from '../../base/text.ts';
import type { ConversationRef, Json } from '../../contract/account.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { HeldLane, LaneKey } from './lane.ts';

/** Stores the state of the message that is edited while the answer is written. Only the lane's holder may. */
export async function storeLaneDraft(
  database: Kysely<Tables>,
  { channelId, lane, token }: Pick<HeldLane, 'channelId' | 'lane' | 'token'>,
  state: Json,
): Promise<void> {
  await sql`
    update lane set draft = ${state === null ? null : JSON.stringify(state)}::jsonb
    where channel_id = ${channelId} and lane = ${lane} and holder = ${token}
  `.execute(database);
}

/** Null if no message is being edited. */
export async function loadLaneDraft(database: Kysely<Tables>, { channelId, lane }: LaneKey): Promise<Json> {
  const row = await database
    .selectFrom('lane')
    .select('draft')
    .where('channel_id', '=', channelId)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row?.draft == null ? null : storedJson.parse(row.draft);
}

/** Returns the id of a lane's conversation, also of a closed one. */
export async function findLaneConversationId(
  transaction: Transaction<Tables>,
  { channelId, lane, workspaceId }: LaneKey & { readonly workspaceId: string },
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('lane')
    .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
    .select('conversation.id')
    .where('lane.channel_id', '=', channelId)
    .where('lane.lane', '=', lane)
    .where('conversation.workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.id;
}

/** Keeps an existing address, because a bot's message must not redirect the answers to a person. */
export async function linkLane(
  transaction: Transaction<Tables>,
  {
    channelId,
    conversationId,
    to,
  }: { readonly channelId: string; readonly conversationId: string; readonly to: ConversationRef },
): Promise<void> {
  await sql`
    update lane
    set conversation_id = ${conversationId}, address = coalesce(address, ${JSON.stringify(to.address)}::jsonb)
    where channel_id = ${channelId} and lane = ${to.lane}
  `.execute(transaction);
}

/** Stores when the visitor was last heard, which opens a platform's reply window. */
export async function recordHeard(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  sentAt: Date,
): Promise<void> {
  await database
    .updateTable('lane')
    .set({ heard_at: sql<Date>`greatest(heard_at, ${sentAt})` })
    .where('channel_id', '=', channelId)
    .where('lane', '=', lane)
    .execute();
}

interface ContinuingLane {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly to: ConversationRef;
}

/**
 * Opens a lane that continues a conversation of another channel. An existing address stays, so that messages of the visitor
 * that came meanwhile are answered in their thread.
 */
export async function openContinuingLane(
  transaction: Transaction<Tables>,
  { channelId, workspaceId, conversationId, to }: ContinuingLane,
): Promise<ConversationRef> {
  const { rows } = await sql<{ address: unknown }>`
    insert into lane (channel_id, lane, workspace_id, address, conversation_id, continues)
    values (${channelId}, ${to.lane}, ${workspaceId}, ${JSON.stringify(to.address)}::jsonb, ${conversationId}, true)
    on conflict (channel_id, lane) do update set continues = true
    returning address
  `.execute(transaction);
  return { lane: to.lane, address: storedJson.parse(rows[0]?.address) };
}
