import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from '../webhooks/delivery-waker.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import { findConversation } from './find-conversation.ts';
import { type GivenFeedback, giveFeedback } from './give-feedback.ts';
import type { InboxUser } from './inbox-user.ts';
import type { MessageRecord } from './message-record.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: WakeDeliveries;
}

/** What an integrator's visitor thinks of an answer. */
export type Judgement = Omit<GivenFeedback, 'workspaceId' | 'now'>;

/** Throws `conversation_not_found` and `message_not_found`. */
export function judgeAnswer(stores: Stores, user: InboxUser, judgement: Judgement): Promise<MessageRecord> {
  return tellingTransaction(stores, async (transaction) => {
    const { row } = await findConversation(transaction, { user, id: judgement.conversationId, lock: false });
    const given = { ...judgement, workspaceId: row.workspace_id, now: stores.clock.now() };
    const judged = await giveFeedback(transaction, given);
    if (judged === null) throw new AppError('message_not_found');
    return judged;
  });
}
