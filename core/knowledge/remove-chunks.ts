import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { passageTerms } from './index-rows.ts';
import { removePostings } from './postings.ts';
import { chunksPerTransaction } from './write-chunks.ts';

/**
 * Removes every chunk of a document but those of `keptRevision`, in small transactions. Safe to stop and repeat:
 * what is removed was not found by any search.
 */
export async function removeChunks(
  database: Kysely<Tables>,
  documentNumber: number,
  keptRevision: number,
): Promise<void> {
  let removed = 0;
  do {
    removed = await database.transaction().execute(async (transaction) => {
      const chunks = await transaction
        .selectFrom('chunk')
        .selectAll()
        .where('document_number', '=', documentNumber)
        .where('revision', '<>', keptRevision)
        .orderBy('id')
        .limit(chunksPerTransaction)
        .forUpdate()
        .execute();
      if (chunks.length > 0) await removeBatch(transaction, chunks);
      return chunks.length;
    });
  } while (removed === chunksPerTransaction);
}

async function removeBatch(
  transaction: Transaction<Tables>,
  chunks: readonly Selectable<Tables['chunk']>[],
): Promise<void> {
  for (const [scopeId, ofScope] of Map.groupBy(chunks, (chunk) => chunk.scope_id)) {
    const passages = ofScope.map((chunk) => ({ id: chunk.id, terms: passageTerms(chunk) }));
    await removePostings(transaction, scopeId, passages);
  }
  const ids = chunks.map((chunk) => chunk.id);
  await transaction.deleteFrom('chunk').where('id', 'in', ids).execute();
}
