import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { analyseQuestion } from './analyse-question.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import type { Corpora } from './corpus/corpora.ts';
import { searchCorpus } from './corpus/search-corpus.ts';
import type { CorpusStatistics } from './corpus-statistics.ts';
import type { Embedder } from './embedding/embedder.ts';
import { findCandidates } from './find-candidates.ts';
import type { Found } from './found.ts';
import type { FoundPassage } from './found-passage.ts';
import { rankCandidates } from './rank-candidates.ts';
import type { RankedChunk } from './ranked-chunk.ts';
import { vectorBytes } from './vector-bytes.ts';

export interface SearchRequest {
  readonly workspaceId: string;
  readonly question: string;
  /** The asker's tags: documents with other tags are not searched. */
  readonly audience: readonly string[];
  /** Null: all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  /** Nothing is begun any more once it is aborted: its reason is thrown. */
  readonly signal?: AbortSignal;
}

export interface SearchResult {
  readonly question: AnalysedQuestion;
  /** Best first. */
  readonly ranked: readonly RankedChunk<FoundPassage>[];
  readonly statistics: CorpusStatistics;
}

export interface SearchDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  readonly corpora: Pick<Corpora, 'current'>;
}

/** Retrieval may use this many characters of a question. */
const questionCharacters = 1_000;

/** Words and vectors together. */
export async function searchKnowledge(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResult> {
  const text = Array.from(request.question).slice(0, questionCharacters).join('');
  const question = analyseQuestion(text);
  const { statistics, passages } = await find(dependencies, request, { text, terms: question.hashes });
  return { question, statistics, ranked: rankCandidates(question, passages, statistics) };
}

interface Words {
  readonly text: string;
  readonly terms: readonly number[];
}

/** In memory where what the workspace holds is kept there, else in one round trip to the database. */
async function find(
  { database, embedder, corpora }: SearchDependencies,
  { workspaceId, audience, documentIds, signal }: SearchRequest,
  { text, terms }: Words,
): Promise<Found> {
  const [vector, corpus] = await Promise.all([
    embedder.embedQuery(text),
    documentIds === null ? corpora.current(workspaceId) : null,
  ]);
  signal?.throwIfAborted();
  if (corpus !== null) return searchCorpus(corpus, { audience, terms, vector });
  return findCandidates(database, {
    ...{ workspaceId, audience, documentIds, terms },
    vector: vectorBytes(vector),
  });
}
