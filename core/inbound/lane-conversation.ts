import { type Kysely, sql, type Transaction } from 'kysely';
import type { OpenAccount } from '../channels/channel-account.ts';
import type { ConversationRef } from '../contract/account.ts';
import type { Sender } from '../contract/inbound.ts';
import { handoverStatuses } from '../conversations/conversation-values.ts';
import { createConversation, isConversationOver } from '../conversations/store-message.ts';
import type { Customer } from '../conversations/turn.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type LaneKey, laneSessionId } from './lane.ts';

/** The conversation that goes on in a lane. */
export interface LaneConversation {
  readonly id: string;
  /** Under which the visitor goes on with it. */
  readonly sessionId: string | null;
  /** Whether a person has it: then the engine is silent. */
  readonly withPerson: boolean;
}

interface Row {
  readonly id: string;
  readonly session_id: string | null;
  readonly status: string;
  readonly resolved_at: Date | null;
}

/** Null where what is said begins one. */
export async function findLaneConversation(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  now: Date,
): Promise<LaneConversation | null> {
  const row = await database
    .selectFrom('lane')
    .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
    .select(['conversation.id', 'conversation.session_id', 'conversation.status', 'conversation.resolved_at'])
    .where('lane.channel_id', '=', channelId)
    .where('lane.lane', '=', lane)
    .executeTakeFirst();
  return row === undefined ? null : laneConversationFromRow(row, now);
}

/** The same of its row. Pure. */
export function laneConversationFromRow(row: Row, now: Date): LaneConversation | null {
  return isConversationOver(row, now)
    ? null
    : {
        id: row.id,
        sessionId: row.session_id,
        withPerson: handoverStatuses.some((status) => status === row.status),
      };
}

/** Says which conversation goes on in a lane, and how to send there. */
export async function setLaneConversation(
  transaction: Transaction<Tables>,
  { channelId }: LaneKey,
  {
    to,
    conversationId,
    heardAt,
  }: { readonly to: ConversationRef; readonly conversationId: string; readonly heardAt: Date | null },
): Promise<void> {
  await sql`
    update lane set conversation_id = ${conversationId}, address = ${JSON.stringify(to.address)}::jsonb,
                    reachable = true, heard_at = greatest(heard_at, ${heardAt}::timestamptz)
    where channel_id = ${channelId} and lane = ${to.lane}
  `.execute(transaction);
}

interface Beginning {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly customer: Customer | null;
  readonly now: Date;
}

/** A new conversation of what is said in a lane; its id. The lane does not lead to it yet. */
export function createLaneConversation(
  transaction: Transaction<Tables>,
  { key, open, customer, now }: Beginning,
): Promise<string> {
  const { workspaceId, connector } = open;
  const { channel } = connector.manifest;
  return createConversation(transaction, {
    workspaceId,
    channel,
    sessionId: laneSessionId(key),
    customer,
    now,
  });
}

/** A sender as the customer of a conversation: connectors pass on only addresses that the platform vouches for. */
export function senderCustomer({ name, email, phone }: Sender): Customer {
  return { name, email, emailVerified: email !== null, phone };
}

interface Wanted {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly to: ConversationRef;
  readonly customer: Customer | null;
  /** When the visitor said something; null where it was not he. */
  readonly heardAt: Date | null;
  readonly now: Date;
}

/** The conversation that goes on in a lane, or a new one there: for what is kept and not answered. */
export async function findOrCreateConversation(
  transaction: Transaction<Tables>,
  { key, open, to, customer, heardAt, now }: Wanted,
): Promise<string> {
  const known = await findLaneConversation(transaction, key, now);
  const conversationId =
    known?.id ?? (await createLaneConversation(transaction, { key, open, customer, now }));
  await setLaneConversation(transaction, key, { to, conversationId, heardAt });
  return conversationId;
}

interface Move {
  readonly channelId: string;
  readonly from: ConversationRef;
  readonly to: ConversationRef;
}

/** The conversation of a lane, and what is still to be sent of it, goes on in another one. */
export async function updateLaneAddress(
  database: Kysely<Tables>,
  { channelId, from, to }: Move,
): Promise<void> {
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
