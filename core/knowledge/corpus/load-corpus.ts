import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';
import type { Corpus, CorpusScope } from './corpus.ts';
import { loadPassages } from './load-passages.ts';
import { loadPostings } from './load-postings.ts';

/** What the search of a workspace reads, a page at a time; null where that is more than `most` chunks. */
export async function loadCorpus(
  database: Kysely<Tables>,
  workspaceId: string,
  most: number,
): Promise<Corpus | null> {
  const rows = await database
    .selectFrom('scope')
    .select(['id', 'audience', 'chunk_count'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  if (rows.reduce((sum, row) => sum + row.chunk_count, 0) > most) return null;
  const scopes: CorpusScope[] = [];
  for (const { id, audience } of rows) {
    const { passages, chunkIds, vectors } = await loadPassages(database, { workspaceId, scopeId: id });
    const { postings, lengths } = await loadPostings(database, id, chunkIds);
    const termCount = lengths.reduce((sum, length) => sum + length, 0);
    scopes.push({ audience, passages, lengths, termCount, vectors, postings });
  }
  return { scopes, bytes: scopes.reduce((sum, scope) => sum + bytesOf(scope), bytesOfWorkspace) };
}

const bytesOfWorkspace = 1_000;
const bytesOfPassage = 400;
const bytesOfTerm = 150;

function bytesOf({ passages, vectors, postings }: CorpusScope): number {
  let bytes = vectors.byteLength;
  for (const { body } of passages) bytes += bytesOfPassage + 2 * body.length;
  for (const { byteLength } of postings.values()) bytes += bytesOfTerm + byteLength;
  return bytes;
}
