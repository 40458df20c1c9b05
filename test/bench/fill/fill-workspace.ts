import { newId } from '../../../core/base/ids.ts';
import { findOrCreateScope } from '../../../core/knowledge/indexing/ingest-document.ts';
import { countTerms, formatVector } from '../../../core/knowledge/indexing/postings.ts';
import {
  buildVectorGraph,
  type ChunkToWrite,
  chunksPerTransaction,
  writeChunks,
} from '../../../core/knowledge/indexing/write-chunks.ts';
import { passageUnits } from '../../../core/knowledge/passage-units.ts';
import { encodeSentenceVectors, packSentenceVectors } from '../../../core/knowledge/sentence-vectors.ts';
import type { Database } from '../../../core/storage/database.ts';
import { vacuum } from '../../../core/storage/vacuum.ts';
import { SEARCH_TABLES } from '../../../workers/ingest/worker.ts';
import type { Corpus } from '../corpus/corpus.ts';

export interface WorkspaceFilling {
  readonly workspaceId: string;
  readonly corpus: Corpus;
  /** Index of its first chunk in the corpus. */
  readonly first: number;
  readonly chunks: number;
}

/** As often as the product does. */
const chunksBetweenSweeps = 1_000;

/** Writes documents of one batch each by the product's own functions; only reading and embedding are left out. */
export async function fillWorkspace(database: Database, filling: WorkspaceFilling): Promise<void> {
  const { workspaceId, first, chunks } = filling;
  const scopeId = await findOrCreateScope(database.kysely, workspaceId, []);
  const end = first + chunks;
  let sweptAt = first;
  for (let start = first; start < end; start += chunksPerTransaction) {
    const title = filling.corpus.chunk(start).title;
    const batch = chunksOf(filling.corpus, {
      title,
      start,
      end: Math.min(start + chunksPerTransaction, end),
    });
    await writeDocument(database, { workspaceId, scopeId, title }, batch);
    if (start - sweptAt < chunksBetweenSweeps) continue;
    sweptAt = start;
    await buildVectorGraph(database.kysely, scopeId);
    await vacuum(database, SEARCH_TABLES);
  }
  await buildVectorGraph(database.kysely, scopeId);
}

function chunksOf(
  corpus: Corpus,
  { title, start, end }: { readonly title: string; readonly start: number; readonly end: number },
): ChunkToWrite[] {
  return Array.from({ length: end - start }, (_, ordinal) => {
    const { body } = corpus.chunk(start + ordinal);
    const headings = [`Part ${ordinal + 1}`];
    const corpusVector = corpus.vector(start + ordinal);
    const vector = formatVector(corpusVector);
    // It is as long as a real one, which is a digest in Base64.
    const hash = String(start + ordinal).padStart(44, '0');
    // The vector is that of the passage: random ones would be no nearer to a question than to any other text.
    const vectors = passageUnits(body).map(() => corpusVector);
    const sentences = encodeSentenceVectors(packSentenceVectors(vectors));
    return {
      ordinal,
      headings,
      body,
      place: null,
      hash,
      vector,
      sentences,
      terms: countTerms({ title, headings, body }),
    };
  });
}

interface Owner {
  readonly workspaceId: string;
  readonly scopeId: number;
  readonly title: string;
}

async function writeDocument(
  { kysely }: Database,
  { workspaceId, scopeId, title }: Owner,
  chunks: readonly ChunkToWrite[],
): Promise<void> {
  const id = newId('doc');
  const now = new Date();
  const { number } = await kysely
    .insertInto('document')
    .values({
      id,
      workspace_id: workspaceId,
      scope_id: scopeId,
      source_key: `id ${id}`,
      title,
      title_given: true,
      url: null,
      content_type: null,
      file_name: null,
      status: 'indexing',
      wanted_revision: 1,
      failure_code: null,
      failure_reason: null,
      content_hash: null,
      created_at: now,
      updated_at: now,
      indexed_at: null,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  const owner = { documentNumber: number, scopeId, revision: 1, title };
  await writeChunks(kysely, owner, { chunks, modelId: 0 }, async () => {});
  await kysely
    .updateTable('document')
    .set({ status: 'indexed', revision: 1, progress: 100, chunk_count: chunks.length, indexed_at: now })
    .where('number', '=', number)
    .execute();
}
