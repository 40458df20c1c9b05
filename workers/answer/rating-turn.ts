import { assertLeaseHeld } from '../../core/channels/inbound/lane.ts';
import { setLaneConversation } from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { markEventsHandled } from '../../core/channels/inbound/lane-work.ts';
import { rateByMessage } from '../../core/channels/ratings.ts';
import { eventTransaction } from '../../core/webhooks/event-transaction.ts';
import { parseRating } from './parse-rating.ts';
import type { AskedTurn } from './plan-turn.ts';
import { toMessageMetadata } from './unanswered.ts';

/**
 * Stores a turn that is nothing but the rating which the visitor was asked for, and queues the thanks. Returns false, and
 * stores nothing, if it is an ordinary message.
 */
export async function storeRating(
  {
    database,
    clock,
    scheduleDeliveries,
  }: Pick<LaneDependencies, 'database' | 'clock' | 'scheduleDeliveries'>,
  { held, open, turn, numbers }: Pick<AskedTurn, 'held' | 'open' | 'turn' | 'numbers'>,
): Promise<boolean> {
  const hasFiles = turn.attachments.some(({ incidental }) => !incidental);
  const rating = turn.command === null && !hasFiles ? parseRating(turn.text) : null;
  if (rating === null) return false;
  const now = clock.now();
  return eventTransaction({ database: database.kysely, scheduleDeliveries }, async (transaction) => {
    await assertLeaseHeld(transaction, held);
    const conversationId = await rateByMessage(transaction, {
      ...{ held, open, numbers, now, ...rating },
      to: turn.conversation,
      content: turn.text,
      metadata: toMessageMetadata(turn),
      replyTo: turn.messageIds.at(-1) ?? null,
    });
    if (conversationId === null) return false;
    await setLaneConversation(transaction, held, {
      to: turn.conversation,
      conversationId,
      heardAt: turn.sentAt,
    });
    await markEventsHandled(transaction, { channelId: held.channelId, numbers, now });
    return true;
  });
}
