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

/**
 * Words and vectors together. Where a provider's embedding model does not answer, words alone: what they answer is
 * answered, and else its failure is thrown, for with it there may be an answer.
 */
export async function searchKnowledge(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResult> {
  const text = Array.from(request.question).slice(0, questionCharacters).join('');
  const question = analyseQuestion(text);
  const { meaning, found } = await findPassages(dependencies, request, { text, terms: question.hashes });
  const ranked = rankCandidates(question, found.passages, found.statistics);
  if (meaning.failure !== null && (ranked[0]?.score ?? 0) < ANSWER_THRESHOLD) throw meaning.failure;
  return { question, statistics: found.statistics, ranked };
}

interface LexicalQuery {
  readonly text: string;
  readonly terms: readonly number[];
}

/** The vector of a question, or why a provider made none. */
type QuestionVector =
  | { readonly vector: Float32Array; readonly failure: null }
  | { readonly vector: null; readonly failure: AppError };

/** In memory where what the workspace holds is kept there, else in one round trip to the database. */
async function findPassages(
  { database, embedder, corpora }: SearchDependencies,
  { workspaceId, audience, documentIds, signal }: SearchRequest,
  { text, terms }: LexicalQuery,
): Promise<{ readonly meaning: QuestionVector; readonly found: FoundCandidates }> {
  const [meaning, corpus] = await Promise.all([
    embedQuestion(embedder, text),
    documentIds === null ? corpora.current(workspaceId) : null,
  ]);
  signal?.throwIfAborted();
  const query = { audience, terms, vector: meaning.vector };
  const found =
    corpus === null
      ? await findCandidates(database, { workspaceId, documentIds, ...query })
      : searchCorpus(corpus, query);
  return { meaning, found };
}

async function embedQuestion(embedder: Embedder, text: string): Promise<QuestionVector> {
  try {
    return { vector: await embedder.embedQuery(text), failure: null };
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    return { vector: null, failure };
  }
}
