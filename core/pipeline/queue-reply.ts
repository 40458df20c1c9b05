import { sql, type Transaction } from 'kysely';
import type { ConversationRef, OutboundPart } from '../contract/connector.ts';
import type { Tables } from '../storage/tables.ts';

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
    insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                               created_at, next_attempt_at)
    select ${channelId}, ${workspaceId}, ${to.lane}, ${conversationId}, ${messageId}, ordinality - 1, 'agent', content,
           ${now}, ${now}
    from jsonb_array_elements(${JSON.stringify(parts.map(({ content }) => content))}::jsonb)
      with ordinality as told (content, ordinality)
    order by ordinality
  `.execute(transaction);
}
