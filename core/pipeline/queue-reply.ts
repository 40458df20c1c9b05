import { sql, type Transaction } from 'kysely';
import type { ConversationRef } from '../contract/account.ts';
import type { OutboundPart } from '../contract/reply.ts';
import type { Tables } from '../storage/tables.ts';
import { toStorableJson } from '../to-storable-json.ts';
import { storedParts } from './stored-parts.ts';

/** A person's message that is to be sent, as the platform takes it. */
export interface QueuedReply {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly to: ConversationRef;
  readonly parts: readonly OutboundPart[];
  readonly now: Date;
}

/** Writes down what is to be sent, in the transaction of the message that it is of. */
export async function queueReply(
  transaction: Transaction<Tables>,
  { channelId, workspaceId, conversationId, messageId, to, parts, now }: QueuedReply,
): Promise<void> {
  if (parts.length === 0) return;
  await sql`
    select queue_parts(${channelId}, ${workspaceId}, ${to.lane}, ${conversationId}, ${messageId}, 'agent',
                       ${toStorableJson(storedParts(parts))}::jsonb, ${now})
  `.execute(transaction);
}
