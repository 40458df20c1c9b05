import type { Kysely } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { type DecisionRecord, decisionRecordSchema } from '../../contract/answer.ts';
import type { Tables } from '../../storage/tables/tables.ts';

interface WantedAnswer {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Returns how an answer was decided. Null for canned replies, and after the visitor edited or deleted an earlier
 * message. Throws `message_not_found`.
 */
export async function findDecision(
  database: Kysely<Tables>,
  { workspaceId, conversationId, messageId }: WantedAnswer,
): Promise<DecisionRecord | null> {
  const row = await database
    .selectFrom('message')
    .select('decision')
    .where('id', '=', messageId)
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('message_not_found');
  return row.decision === null ? null : decisionRecordSchema.parse(row.decision);
}
