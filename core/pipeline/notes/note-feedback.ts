import type { Transaction } from 'kysely';
import type { InboundEvent } from '../../contract/inbound-event.ts';
import { giveFeedback } from '../../conversations/give-feedback.ts';
import type { Logger } from '../../log.ts';
import type { Tables } from '../../storage/tables.ts';

interface Judged {
  readonly channelId: string;
  readonly event: Extract<InboundEvent, { type: 'feedback' }>;
  readonly now: Date;
  readonly log: Pick<Logger, 'info'>;
}

/** Keeps what a visitor thinks of an answer. What is not known to be one of ours is passed over. */
export async function noteFeedback(
  transaction: Transaction<Tables>,
  { channelId, event: { messageId, value, comment }, now, log }: Judged,
): Promise<void> {
  const part = await transaction
    .selectFrom('outbound_part')
    .select(['workspace_id', 'conversation_id', 'message_id'])
    .where('channel_id', '=', channelId)
    .where('platform_message_id', '=', messageId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const judged =
    part &&
    (await giveFeedback(transaction, {
      workspaceId: part.workspace_id,
      conversationId: part.conversation_id,
      messageId: part.message_id,
      value,
      comment,
      now,
    }));
  if (!judged) log.info({ channel: channelId }, 'feedback was given to what is no answer of ours');
}
