import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables/tables.ts';

/** More messages than one prompt can contain. */
const MAX_MESSAGES = 200;

/** Returns how far a conversation is summarised, with the settings of its workspace. */
export function findSummarised(database: Kysely<Tables>, conversationId: string) {
  return database
    .selectFrom('conversation')
    .innerJoin('workspace', 'workspace.id', 'conversation.workspace_id')
    .select([
      'workspace_id',
      'workspace.owner_id',
      'summary',
      'summary_until',
      'memory_from',
      'message_count',
      'workspace.settings',
    ])
    .where('conversation.id', '=', conversationId)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Returns the oldest messages from a position on. */
export function loadUnsummarised(
  database: Kysely<Tables>,
  { conversationId, workspaceId, from }: { conversationId: string; workspaceId: string; from: number },
): Promise<SummedMessage[]> {
  return database
    .selectFrom('message')
    .select(['position', 'role', 'content'])
    .where('conversation_id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(MAX_MESSAGES)
    .execute();
}

export interface SummedMessage {
  readonly position: number;
  readonly role: string;
  readonly content: string;
}

interface NewSummary {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly summary: string;
  /** Position of the first message that the summary does not cover. */
  readonly until: number;
  /** The same of the summary that it replaces. */
  readonly before: number;
}

/** Returns false if another worker stored a summary meanwhile. */
export async function storeSummary(
  database: Kysely<Tables>,
  { conversationId, workspaceId, summary, until, before }: NewSummary,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('conversation')
    .set({ summary, summary_until: until })
    .where('id', '=', conversationId)
    .where('workspace_id', '=', workspaceId)
    .where('summary_until', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
