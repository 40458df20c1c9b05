import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { placeSchema } from '../../contract/answer.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { decodeSentenceVectors } from '../sentence-vectors.ts';
import { decodeVector, selectVectors } from '../vectors.ts';
import { type Corpus, type CorpusPassage, type CorpusScope, packPosting } from './corpus.ts';

export interface CorpusWanted {
  readonly workspaceId: string;
  readonly modelId: number;
  /** Absent: all documents. */
  readonly documents?:
    | { readonly only: readonly string[] }
    | { readonly without: readonly string[] }
    | undefined;
}

/** Loads everything that a search of the workspace reads, page by page; returns null above `maxChunks` chunks. */
export async function loadCorpus(
  database: Kysely<Tables>,
  { workspaceId, modelId, documents }: CorpusWanted,
  maxChunks: number,
): Promise<Corpus | null> {
  const rows = await database
    .selectFrom('scope')
    .select(['id', 'audience', 'chunk_count', 'words_side'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  if (rows.reduce((sum, row) => sum + row.chunk_count, 0) > maxChunks) return null;
  const scopes: CorpusScope[] = [];
  for (const { id, audience, words_side } of rows) {
    const { passages, chunkIds, vectors } = await loadPassages(database, {
      ...{ workspaceId, modelId, documents },
      scopeId: id,
    });
    const { postings, lengths } = await loadPostings(database, id * words_side, chunkIds);
    const termCount = lengths.reduce((sum, length) => sum + length, 0);
    scopes.push({ audience, passages, lengths, termCount, vectors, postings });
  }
  return {
    scopes,
    modelId,
    bytes: scopes.reduce((sum, scope) => sum + estimateBytes(scope), BYTES_PER_WORKSPACE),
  };
}

const BYTES_PER_WORKSPACE = 1_000;
const BYTES_PER_PASSAGE = 400;
const BYTES_PER_TERM = 150;

function estimateBytes({ passages, vectors, postings }: CorpusScope): number {
  let bytes = vectors.byteLength;
  for (const { body, sentences } of passages) {
    bytes += BYTES_PER_PASSAGE + 2 * body.length + (sentences?.byteLength ?? 0);
  }
  for (const { byteLength } of postings.values()) bytes += BYTES_PER_TERM + byteLength;
  return bytes;
}

interface Passages {
  readonly passages: readonly CorpusPassage[];
  /** The ids by index of the passage. */
  readonly chunkIds: readonly number[];
  readonly vectors: Float32Array;
}

interface PassagePage extends CorpusWanted {
  readonly scopeId: number;
}

/** Chunks per statement: other statements get their turn after each page. */
const PAGE_SIZE = 50;

/** Loads the chunks of a scope's current revisions, ordered by id. */
async function loadPassages(database: Kysely<Tables>, wanted: PassagePage): Promise<Passages> {
  const passages: CorpusPassage[] = [];
  const chunkIds: number[] = [];
  const vectors: Float32Array[] = [];
  const known = await selectVectors(database, wanted.modelId)
    .select('vector.chunk_id')
    .where('vector.scope_id', '=', wanted.scopeId)
    .orderBy('vector.chunk_id')
    .execute();
  for (let start = 0; start < known.length; start += PAGE_SIZE) {
    const ids = known.slice(start, start + PAGE_SIZE).map((row) => row.chunk_id);
    for (const { id, embedding, units, place, ...passage } of await loadPage(database, wanted, ids)) {
      const sentences = units === null ? null : decodeSentenceVectors(units);
      passages.push({
        ...passage,
        place: placeSchema.nullable().parse(place),
        chunkId: String(id),
        sentences,
      });
      chunkIds.push(id);
      vectors.push(decodeVector(embedding));
    }
  }
  return { passages, chunkIds, vectors: concatVectors(vectors) };
}

function loadPage(
  database: Kysely<Tables>,
  { workspaceId, modelId, documents }: PassagePage,
  ids: readonly number[],
) {
  const isWanted =
    documents === undefined
      ? sql<boolean>`true`
      : 'only' in documents
        ? sql<boolean>`document.id = any(${[...documents.only]})`
        : sql<boolean>`document.id <> all(${[...documents.without]})`;
  return selectVectors(database, modelId)
    .innerJoin('chunk', 'chunk.id', 'vector.chunk_id')
    .innerJoin('document', (join) =>
      join
        .onRef('document.number', '=', 'chunk.document_number')
        .onRef('document.revision', '=', 'chunk.revision'),
    )
    .leftJoin('sentence_vector', 'sentence_vector.chunk_id', 'chunk.id')
    .select([
      'chunk.id',
      'chunk.ordinal',
      'chunk.headings',
      'chunk.body',
      'chunk.place',
      'document.title',
      'document.url',
    ])
    .select(['document.id as documentId', 'document.updated_at as changedAt'])
    .select(sql<Uint8Array>`vector_send(vector.embedding)`.as('embedding'))
    .select(sql<string | null>`encode(sentence_vector.vectors, 'base64')`.as('units'))
    .where('document.workspace_id', '=', workspaceId)
    .where(isWanted)
    .where('chunk.id', 'in', [...ids])
    .orderBy('chunk.id')
    .execute();
}

function concatVectors(vectors: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) {
    whole.set(vector, at);
    at += vector.length;
  }
  return whole;
}

interface Postings {
  readonly postings: ReadonlyMap<number, Uint32Array>;
  /** The lengths by index of the passage. */
  readonly lengths: Uint16Array;
}

/** A page holds about the postings of this many chunks: other statements get their turn after each page. */
const CHUNKS_PER_PAGE = 50;
/** Term hashes are signed 32-bit integers. */
const TERM_COUNT = 2 ** 32;
const numbersSchema = z.array(z.number()).nullable();
const pageSchema = z.object({
  terms: numbersSchema,
  chunkIds: numbersSchema,
  frequencies: numbersSchema,
  lengths: numbersSchema,
});

/** Loads the postings of one side of a scope; they refer to chunks by their index in `chunkIds`. */
async function loadPostings(
  database: Kysely<Tables>,
  scopeId: number,
  chunkIds: readonly number[],
): Promise<Postings> {
  const places = new Map(chunkIds.map((id, place) => [id, place]));
  const lengths = new Uint16Array(chunkIds.length);
  const packed = new Map<number, number[]>();
  for await (const page of termRanges(database, scopeId, Math.ceil(chunkIds.length / CHUNKS_PER_PAGE))) {
    for (const [index, term] of page.terms.entries()) {
      const place = places.get(page.chunkIds[index] ?? 0);
      if (place === undefined) continue;
      lengths[place] = page.lengths[index] ?? 0;
      const posting = packPosting(place, page.frequencies[index] ?? 0);
      const termPostings = packed.get(term);
      if (termPostings === undefined) packed.set(term, [posting]);
      else termPostings.push(posting);
    }
  }
  const postings = new Map(Array.from(packed, ([term, list]) => [term, Uint32Array.from(list)]));
  return { postings, lengths };
}

/**
 * Reads postings by ranges of terms. Terms are hashes and therefore evenly distributed, so no sort is needed. Columns
 * are JSON arrays of numbers: the driver takes ten times as long to parse rows.
 */
async function* termRanges(database: Kysely<Tables>, scopeId: number, pages: number) {
  for (let page = 0; page < pages; page += 1) {
    const [from, to] = [page, page + 1].map(
      (edge) => Math.floor((edge / pages) * TERM_COUNT) - TERM_COUNT / 2,
    );
    const { rows } = await sql`
      select array_to_json(array_agg(term)) as terms, array_to_json(array_agg(chunk_id)) as "chunkIds",
             array_to_json(array_agg(term_frequency)) as frequencies, array_to_json(array_agg(chunk_length)) as lengths
      from posting
      where scope_id = ${scopeId} and term >= ${from}::bigint and term < ${to}::bigint
    `.execute(database);
    const { terms, chunkIds, frequencies, lengths } = pageSchema.parse(rows[0]);
    if (terms === null || chunkIds === null || frequencies === null || lengths === null) continue;
    yield { terms, chunkIds, frequencies, lengths };
  }
}
