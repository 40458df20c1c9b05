import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { messageTerms } from './message-terms.ts';

interface Cut {
  readonly workspaceId: string;
  readonly messageId: string;
  /** All that is to be kept of it. */
  readonly heard: string;
}

/** What nobody heard of an answer was not said: it is neither shown, nor found, nor remembered. */
export async function cutAnswer(
  database: Kysely<Tables>,
  { workspaceId, messageId, heard }: Cut,
): Promise<void> {
  await database
    .updateTable('message')
    .set({ content: heard, ended: 'cancelled', terms: [...messageTerms(workspaceId, heard)] })
    .where('id', '=', messageId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'assistant')
    .execute();
}
