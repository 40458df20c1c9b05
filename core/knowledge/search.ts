import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Corpora } from './corpus/corpora.ts';
import { searchCorpus } from './corpus/search-corpus.ts';
import type { Embedder } from './embedding/embedder.ts';
import { findCandidates } from './find-candidates.ts';
import type { CorpusStatistics, FoundCandidates, FoundPassage, RankedChunk } from './passage.ts';
import type { AnalysedQuestion } from './ranking/analyse-question.ts';
import { analyseQuestion } from './ranking/analyse-question.ts';
import { ANSWER_THRESHOLD, rankCandidates } from './ranking/rank-candidates.ts';

interface SearchRequest {
  readonly workspaceId: string;
  readonly question: string;
  /** Audience tags of the caller: documents that have only other tags are not searched. */
  readonly audience: readonly string[];
  /** Null searches all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  /** Once aborted, no further step starts and the signal's reason is thrown. */
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

/** Retrieval reads this many characters of a question at most. */
const MAX_QUESTION_CHARACTERS = 1_000;

/**
 * Searches by words and vectors together. If the provider's embedding model fails, it searches by words alone and
 * throws the provider's `AppError` if no passage reaches `ANSWER_THRESHOLD`: with a vector there might be an answer.
 */
export async function searchKnowledge(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResult> {
  const text = Array.from(request.question).slice(0, MAX_QUESTION_CHARACTERS).join('');
  const question = analyseQuestion(text);
  const { questionVector, found } = await findPassages(dependencies, request, {
    text,
    terms: question.hashes,
  });
  const ranked = rankCandidates(question, found.passages, found.statistics);
  if (questionVector.failure !== null && (ranked[0]?.score ?? 0) < ANSWER_THRESHOLD)
    throw questionVector.failure;
  return { question, statistics: found.statistics, ranked };
}

interface LexicalQuery {
  readonly text: string;
  readonly terms: readonly number[];
}

/** The vector of a question, or the provider's failure. */
type QuestionVector =
  | { readonly vector: Float32Array; readonly failure: null }
  | { readonly vector: null; readonly failure: AppError };

/** Searches in memory if the workspace's corpus is loaded, otherwise in one round trip to the database. */
async function findPassages(
  { database, embedder, corpora }: SearchDependencies,
  { workspaceId, audience, documentIds, signal }: SearchRequest,
  { text, terms }: LexicalQuery,
): Promise<{ readonly questionVector: QuestionVector; readonly found: FoundCandidates }> {
  const [questionVector, corpus] = await Promise.all([
    embedQuestion(embedder, text),
    documentIds === null ? corpora.current(workspaceId) : null,
  ]);
  signal?.throwIfAborted();
  const query = { audience, terms, vector: questionVector.vector };
  const found =
    corpus === null
      ? await findCandidates(database, { workspaceId, documentIds, ...query })
      : searchCorpus(corpus, query);
  return { questionVector, found };
}

async function embedQuestion(embedder: Embedder, text: string): Promise<QuestionVector> {
  try {
    return { vector: await embedder.embedQuery(text), failure: null };
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    return { vector: null, failure };
  }
}
