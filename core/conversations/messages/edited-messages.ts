import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';
import { withoutRecord } from './decisions.ts';
import { extractSearchTerms } from './messages.ts';

interface InterruptedAnswer {
  readonly workspaceId: string;
  readonly messageId: string;
  /** The text that the client received. */
  readonly heard: string;
}

/**
 * Truncates an interrupted answer to the text that the client received: the rest is not shown, searched or
 * remembered.
 */
export async function truncateAnswer(
  database: Kysely<Tables>,
  { workspaceId, messageId, heard }: InterruptedAnswer,
): Promise<void> {
  await database
    .updateTable('message')
    .set({ content: heard, ended: 'cancelled', terms: [...extractSearchTerms(workspaceId, heard)] })
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .execute();
}

interface EditedMessage {
  readonly sessionId: string;
  readonly workspaceId: string;
  /** The platform's id. */
  readonly messageId: string;
}

/** Finds and locks a visitor's message by the platform's id, also in earlier conversations of the same session. */
export function findEditedMessage(
  transaction: Transaction<Tables>,
  { sessionId, workspaceId, messageId }: EditedMessage,
): Promise<Selectable<Tables['message']> | undefined> {
  return transaction
    .selectFrom('message')
    .selectAll('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .where('conversation.workspace_id', '=', workspaceId)
    .where('conversation.session_id', '=', sessionId)
    .where('message.role', '=', 'user')
    .where(sql<boolean>`message.metadata -> 'channel_message_ids' ? ${messageId}`)
    .where('message.deleted_at', 'is', null)
    .orderBy('message.position', 'desc')
    .limit(1)
    .forUpdate(['conversation', 'message'])
    .executeTakeFirst();
}

interface EditedContent {
  readonly content: string;
  readonly metadata: object;
  /** Whether nothing of the message is left. */
  readonly isGone: boolean;
  readonly now: Date;
}

/** Stores what a visitor's edit or deletion leaves of a message. The records and traces of later answers go: they quote it. */
export async function storeEditedMessage(
  transaction: Transaction<Tables>,
  {
    id,
    position,
    workspace_id: workspaceId,
    conversation_id: conversationId,
  }: Pick<Selectable<Tables['message']>, 'id' | 'position' | 'workspace_id' | 'conversation_id'>,
  { content, metadata, isGone, now }: EditedContent,
): Promise<void> {
  await transaction
    .updateTable('message')
    .set({
      content,
      terms: [...extractSearchTerms(workspaceId, content)],
      metadata: JSON.stringify(metadata),
      ...(isGone ? { deleted_at: now } : { edited_at: now }),
    })
    .where('id', '=', id)
    .execute();
  // Later questions may have been completed with words of this one.
  await transaction
    .updateTable('message')
    .set({ decision: withoutRecord, trace: null })
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('position', '>', position)
    .where(({ or, eb }) => or([eb('decision', 'is not', null), eb('trace', 'is not', null)]))
    .execute();
}
