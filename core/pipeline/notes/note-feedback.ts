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
  { channelId, event, now, log }: Judged,
): Promise<void> {
  const { value, comment } = event;
  const part = await judgedPart(transaction, { channelId, event });
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

/** Without the id of a message, the last that we answered in the lane is meant. */
function judgedPart(
  transaction: Transaction<Tables>,
  { channelId, event: { messageId, conversation } }: Pick<Judged, 'channelId' | 'event'>,
) {
  const parts = transaction
    .selectFrom('outbound_part')
    .select(['outbound_part.workspace_id', 'outbound_part.conversation_id', 'message_id'])
    .where('channel_id', '=', channelId)
    .orderBy('outbound_part.number', 'desc')
    .limit(1);
  const meant =
    messageId === null
      ? parts
          .innerJoin('message', 'message.id', 'outbound_part.message_id')
          .where('message.role', '=', 'assistant')
          .where('outbound_part.lane', '=', conversation.lane)
          .where('outbound_part.platform_message_id', 'is not', null)
      : parts.where('platform_message_id', '=', messageId);
  return meant.executeTakeFirst();
}
