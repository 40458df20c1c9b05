import type { Transaction } from 'kysely';
import { overheardSummary } from '../answering/overheard-summary.ts';
import type { Tables } from '../storage/tables.ts';
import type { StoredTurn, Turn } from './turn.ts';
import { writeNote } from './write-note.ts';

/** In the notes and the audit log. */
const author = 'system';

/** Keeps what others said before: as a note for people, and as what later answers recall of the beginning. */
export async function keepOverheard(
  transaction: Transaction<Tables>,
  {
    workspaceId,
    conversationId: id,
    overheard = [],
  }: Pick<Turn, 'workspaceId' | 'overheard'> & Pick<StoredTurn, 'conversationId'>,
  now: Date,
): Promise<void> {
  if (overheard.length === 0) return;
  const said = overheard.map((one) => `${one.author}: ${one.text}`);
  const content = ['Said here before the first question:', ...said].join('\n');
  await writeNote(
    transaction,
    { id, workspaceId, actor: author, at: now },
    { content, authorEmail: undefined },
  );
  await transaction
    .updateTable('conversation')
    .set({ summary: overheardSummary(overheard) })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .execute();
}
