import { type Kysely, sql, type Transaction } from 'kysely';
import type { ConversationRef } from '../contract/account.ts';
import { handoverStatuses } from '../conversations/conversation-values.ts';
import { isOver } from '../conversations/is-over.ts';
import type { Tables } from '../storage/tables.ts';
import type { LaneKey } from './lane-key.ts';

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
export async function laneConversation(
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
  return row === undefined ? null : lanesConversation(row, now);
}

/** The same of its row. Pure. */
export function lanesConversation(row: Row, now: Date): LaneConversation | null {
  return isOver(row, now)
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
