import { type Kysely, sql, type Transaction } from 'kysely';
import type { ConversationRef } from '../../contract/account.ts';
import type { Customer } from '../../contract/conversation-values.ts';
import { handoverStatuses } from '../../contract/conversation-values.ts';
import type { Sender } from '../../contract/inbound.ts';
import { createConversation, isConversationOver } from '../../conversations/messages/store-message.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { OpenAccount } from '../accounts/channel-account.ts';
import { type LaneKey, laneSessionId } from './lane.ts';

/** The open conversation of a lane. */
export interface LaneConversation {
  readonly id: string;
  /** Session id under which the visitor continues the conversation. */
  readonly sessionId: string | null;
  /** True if an agent has the conversation, in which case the engine does not answer. */
  readonly withPerson: boolean;
  /** When an answer last said that a machine answers. Null if none did since a person had the conversation. */
  readonly disclosedAt: Date | null;
}

interface Row {
  readonly id: string;
  readonly session_id: string | null;
  readonly status: string;
  readonly resolved_at: Date | null;
  readonly disclosed_at: Date | null;
}

/** Returns the open conversation of a lane, or null if the next message starts one. */
export async function findLaneConversation(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  now: Date,
): Promise<LaneConversation | null> {
  const row = await database
    .selectFrom('lane')
    .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
    .select([
      'conversation.id',
      'conversation.session_id',
      'conversation.status',
      'conversation.resolved_at',
      'conversation.disclosed_at',
    ])
    .where('lane.channel_id', '=', channelId)
    .where('lane.lane', '=', lane)
    .executeTakeFirst();
  return row === undefined ? null : laneConversationFromRow(row, now);
}

/** Same as `findLaneConversation`, from a loaded row. Pure. */
export function laneConversationFromRow(row: Row, now: Date): LaneConversation | null {
  return isConversationOver(row, now)
    ? null
    : {
        id: row.id,
        sessionId: row.session_id,
        withPerson: handoverStatuses.some((status) => status === row.status),
        disclosedAt: row.disclosed_at,
      };
}

/** Stores the lane's conversation and its address on the platform. */
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

interface NewConversation {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly customer: Customer | null;
  readonly now: Date;
}

/** Creates a conversation for a lane and returns its id. It does not link the lane to the conversation. */
export function createLaneConversation(
  transaction: Transaction<Tables>,
  { key, open, customer, now }: NewConversation,
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

/**
 * Returns the sender as a customer. The email counts as verified, because connectors only pass on addresses
 * that the platform has verified.
 */
export function senderCustomer({ name, email, phone }: Sender): Customer {
  return { name, email, emailVerified: email !== null, phone };
}

interface ConversationRequest {
  readonly key: LaneKey;
  readonly open: OpenAccount;
  readonly to: ConversationRef;
  readonly customer: Customer | null;
  /** Time of the visitor's message. Null if the event is not a visitor's. */
  readonly heardAt: Date | null;
  readonly now: Date;
}

/** Returns the open conversation of a lane, or creates one. It serves events that are stored without an answer. */
export async function findOrCreateConversation(
  transaction: Transaction<Tables>,
  { key, open, to, customer, heardAt, now }: ConversationRequest,
): Promise<string> {
  const existing = await findLaneConversation(transaction, key, now);
  const conversationId =
    existing?.id ?? (await createLaneConversation(transaction, { key, open, customer, now }));
  await setLaneConversation(transaction, key, { to, conversationId, heardAt });
  return conversationId;
}

interface Move {
  readonly channelId: string;
  readonly from: ConversationRef;
  readonly to: ConversationRef;
}

/** Moves a lane's conversation and its waiting parts to another lane. */
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

interface Reachability {
  readonly reachable: boolean;
  /** The visitor's own choice, stored apart from what the platform can deliver. */
  readonly opted_out?: boolean;
}

/** Stores whether the platform delivers to a lane. */
export async function setReachable(
  database: Kysely<Tables>,
  { channelId, lane }: LaneKey,
  reachability: Reachability,
): Promise<void> {
  await database
    .updateTable('lane')
    .set(reachability)
    .where('channel_id', '=', channelId)
    .where('lane', '=', lane)
    .execute();
}
