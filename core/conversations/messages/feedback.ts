import type { Transaction } from 'kysely';
import type { Opinion } from '../../contract/conversation-values.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type MessageRecord, messageColumns, messageFromRow, messageParts } from './messages.ts';

export interface GivenFeedback {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** The id of the answer. */
  readonly messageId: string;
  /** Null withdraws the rating and its comment. */
  readonly value: Opinion | null;
  /** Null if the visitor gave no comment; an earlier comment on the same rating is kept. */
  readonly comment: string | null;
  readonly now: Date;
}

/**
 * Stores a visitor's rating of an answer. The latest rating counts; an identical one changes nothing. Returns the updated
 * answer, or null if the conversation has no such answer.
 */
export async function storeFeedback(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, messageId, value, comment, now }: GivenFeedback,
): Promise<MessageRecord | null> {
  // The conversation is locked before the message, as a deletion does it, to avoid a deadlock. The
  // statement-level update of the conversation then does not wait for a lock.
  await transaction
    .selectFrom('conversation')
    .select('id')
    .where('id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute();
  const row = await transaction
    .selectFrom('message')
    .select(messageColumns)
    .select(messageParts)
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', conversationId)
    .where('role', '=', 'assistant')
    .where('purpose', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const previous = value === row.feedback ? row.feedback_comment : null;
  const nextComment = value === null ? null : (comment ?? previous);
  if (value === row.feedback && nextComment === row.feedback_comment) return messageFromRow(row);
  const changed = { feedback: value, feedback_comment: nextComment, feedback_at: now };
  await transaction
    .updateTable('message')
    .set(changed)
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .execute();
  return messageFromRow({ ...row, ...changed });
}
