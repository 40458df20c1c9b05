import { sql } from 'kysely';
import { extractSearchTerms } from '../../core/conversations/messages.ts';
import { batchRows, type TaskContext } from './task.ts';

/** Extracts the search terms of messages that were stored before messages were searchable. */
export async function backfillMessageTerms({ transaction }: TaskContext): Promise<number> {
  const messages = await transaction
    .selectFrom('message')
    .select(['id', 'workspace_id', 'content'])
    .where('terms', 'is', null)
    .limit(batchRows)
    .forUpdate()
    .skipLocked()
    .execute();
  if (messages.length === 0) return 0;
  const counted = messages.map(({ id, workspace_id, content }) => ({
    id,
    terms: extractSearchTerms(workspace_id, content),
  }));
  await sql`
    update message set terms = counted.terms
    from json_to_recordset(${JSON.stringify(counted)}::json) as counted (id text, terms integer[])
    where message.id = counted.id
  `.execute(transaction);
  return messages.length;
}
