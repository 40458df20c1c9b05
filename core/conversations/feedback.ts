import type { Transaction } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';
import type { Opinion } from './conversation-values.ts';
import { type MessageRecord, messageColumns, messageFromRow, messageParts } from './messages.ts';

export interface GivenFeedback {
  readonly workspaceId: string;
  readonly conversationId: string;
  /** Of the answer. */
  readonly messageId: string;
  /** Null takes it back, with what was said of it. */
  readonly value: Opinion | null;
  /** Null where nothing more was said: what was said of the same opinion before stays. */
  readonly comment: string | null;
  readonly now: Date;
}

/**
 * Keeps what a visitor thinks of an answer of ours: the latest counts, and the same again changes nothing. Returns the
 * answer as it is then, or null where the conversation has no such answer.
 */
export async function storeFeedback(
  transaction: Transaction<Tables>,
  { workspaceId, conversationId, messageId, value, comment, now }: GivenFeedback,
): Promise<MessageRecord | null> {
  // Before the message, as whoever deletes a conversation locks it: what is updated of the conversation waits for nobody then.
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
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const kept = value === row.feedback ? row.feedback_comment : null;
  const said = value === null ? null : (comment ?? kept);
  if (value === row.feedback && said === row.feedback_comment) return messageFromRow(row);
  const changed = { feedback: value, feedback_comment: said, feedback_at: now };
  await transaction
    .updateTable('message')
    .set(changed)
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .execute();
  return messageFromRow({ ...row, ...changed });
}
