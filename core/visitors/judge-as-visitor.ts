import { sql } from 'kysely';
import type { GivenFeedback } from '../conversations/give-feedback.ts';
import { giveFeedback } from '../conversations/give-feedback.ts';
import { AppError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { tellingTransaction } from '../webhooks/telling-transaction.ts';
import type { Visitor } from './visitor.ts';

/** What a visitor thinks of an answer that he was given. Throws `message_not_found`. */
export function judgeAsVisitor(
  { database, clock, wakeDeliveries }: Pick<Runtime, 'database' | 'clock' | 'wakeDeliveries'>,
  { id, workspaceId }: Visitor,
  judgement: Pick<GivenFeedback, 'messageId' | 'value' | 'comment'>,
): Promise<void> {
  return tellingTransaction({ database: database.kysely, wakeDeliveries }, async (transaction) => {
    const row = await transaction
      .selectFrom('message')
      .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
      .select('conversation.id')
      .where('message.id', '=', judgement.messageId)
      .where('message.workspace_id', '=', workspaceId)
      .where('conversation.session_id', '=', id)
      .where(sql<boolean>`conversation.channel in ('widget', 'hosted')`)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('message_not_found');
    const given = { ...judgement, workspaceId, conversationId: row.id, now: clock.now() };
    if ((await giveFeedback(transaction, given)) === null) throw new AppError('message_not_found');
  });
}
