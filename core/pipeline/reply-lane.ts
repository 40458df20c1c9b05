import type { Kysely } from 'kysely';
import type { ConversationRef } from '../contract/account.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';

/** Where a person's reply in a conversation goes. */
export interface ReplyLane {
  readonly channelId: string;
  readonly to: ConversationRef;
  /** Whether the platform takes something there, and the visitor wants it. */
  readonly isOpen: boolean;
  readonly heardAt: Date | null;
}

/** Null where the conversation is in no channel that messages are sent through. */
export async function replyLane(
  database: Kysely<Tables>,
  { workspaceId, conversationId }: { readonly workspaceId: string; readonly conversationId: string },
): Promise<ReplyLane | null> {
  const row = await database
    .selectFrom('lane')
    .select(['channel_id', 'lane', 'address', 'reachable', 'opted_out', 'heard_at'])
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('continues', '=', false)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    channelId: row.channel_id,
    to: { lane: row.lane, address: storedJson.parse(row.address) },
    isOpen: row.reachable && !row.opted_out,
    heardAt: row.heard_at,
  };
}
