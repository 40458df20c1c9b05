import type { Kysely } from 'kysely';
import { placeSchema } from '../contract/answer.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Corpora } from './corpus/corpora.ts';
import type { Corpus } from './corpus/corpus.ts';
import type { FoundPassage } from './passage.ts';

/** A passage as it stands in its document, whether a search found it or not. */
export interface DocumentPassage
  extends Pick<
    FoundPassage,
    'chunkId' | 'documentId' | 'ordinal' | 'title' | 'url' | 'headings' | 'body' | 'place'
  > {
  /** When its document was changed last. */
  readonly changedAt: Date;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly corpora: Pick<Corpora, 'loaded'>;
}

interface Wanted {
  readonly workspaceId: string;
  readonly chunkIds: readonly string[];
}

/**
 * The passages before and after one that are read: as many as a section holds, of the length that the chunker aims at. A
 * section of shorter passages ends with them.
 */
const REACH = 6;

/**
 * Returns passages together with those around them under the same headings, in the revision of their document in which
 * they were found. From memory if the workspace's documents are there; otherwise in one round trip to the database.
 * Passages that were removed since are absent.
 */
export async function findNeighbours(
  { database, corpora }: Dependencies,
  { workspaceId, chunkIds }: Wanted,
): Promise<readonly DocumentPassage[]> {
  if (chunkIds.length === 0) return [];
  const corpus = corpora.loaded(workspaceId);
  const known = corpus === null ? null : findInCorpus(corpus, chunkIds);
  return known ?? findInDatabase(database, { workspaceId, chunkIds });
}

/** Null if one of the passages is not in memory. */
function findInCorpus(corpus: Corpus, chunkIds: readonly string[]): readonly DocumentPassage[] | null {
  const wanted = new Set(chunkIds);
  const all = corpus.scopes.flatMap(({ passages }) => passages);
  const hits = all.filter(({ chunkId }) => wanted.has(chunkId));
  if (hits.length < wanted.size) return null;
  const documents = new Set(hits.map(({ documentId }) => documentId));
  return all
    .filter(({ documentId }) => documents.has(documentId))
    .filter((one) => hits.some((hit) => isNear(hit, one)))
    .map(({ sentences: _, ...passage }) => passage);
}

function isNear(hit: NearKey, one: NearKey): boolean {
  return (
    one.documentId === hit.documentId &&
    Math.abs(one.ordinal - hit.ordinal) <= REACH &&
    one.headings.join('\n') === hit.headings.join('\n')
  );
}

type NearKey = Pick<DocumentPassage, 'documentId' | 'ordinal' | 'headings'>;

interface NeighbourRow {
  readonly chunk_id: number;
  readonly document_id: string;
  readonly ordinal: number;
  readonly title: string;
  readonly url: string | null;
  readonly headings: readonly string[];
  readonly body: string;
  readonly place: unknown;
  readonly changed_at: Date;
}

const findNear = prepareStatement<NeighbourRow>(
  `select distinct on (near.id) near.id as chunk_id, document.id as document_id, near.ordinal, document.title, document.url,
          near.headings, near.body, near.place, document.updated_at as changed_at
   from chunk hit
   join document on document.number = hit.document_number and document.workspace_id = $1
   join chunk near on near.document_number = hit.document_number and near.revision = hit.revision
     and near.ordinal between hit.ordinal - $3 and hit.ordinal + $3 and near.headings = hit.headings
   where hit.id = any($2)
   order by near.id`,
);

async function findInDatabase(
  database: Kysely<Tables>,
  { workspaceId, chunkIds }: Wanted,
): Promise<readonly DocumentPassage[]> {
  const rows = await findNear(database, [workspaceId, chunkIds.map(Number), REACH]);
  return rows.map(({ chunk_id, document_id, place, changed_at, ...passage }) => ({
    ...passage,
    chunkId: String(chunk_id),
    documentId: document_id,
    place: placeSchema.nullable().parse(place),
    changedAt: changed_at,
  }));
}
