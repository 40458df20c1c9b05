import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { analyseQuestion } from './analyse-question.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import type { Candidate } from './candidate.ts';
import type { CorpusStatistics } from './corpus-statistics.ts';
import type { Embedder } from './embedding/embedder.ts';
import { type CandidateRow, type Candidates, findCandidates } from './find-candidates.ts';
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

/** A passage with the document it is from. */
export interface FoundPassage extends Candidate {
  readonly title: string;
  readonly url: string | null;
}

export interface SearchResult {
  readonly question: AnalysedQuestion;
  /** Best first. */
  readonly ranked: readonly RankedChunk<FoundPassage>[];
  readonly statistics: CorpusStatistics;
}

interface SearchDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
}

/** Retrieval may use this many characters of a question. */
const questionCharacters = 1_000;

/** Words and vectors together, in one round trip to the database. */
export async function searchKnowledge(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResult> {
  const text = Array.from(request.question).slice(0, questionCharacters).join('');
  const question = analyseQuestion(text);
  const vector = await dependencies.embedder.embedQuery(text);
  request.signal?.throwIfAborted();
  const candidates = await findCandidates(dependencies.database, {
    workspaceId: request.workspaceId,
    audience: request.audience,
    documentIds: request.documentIds,
    terms: question.hashes,
    vector: vectorBytes(vector),
  });
  const statistics = statisticsOf(candidates);
  const passages = candidates?.found?.map(passageOf) ?? [];
  return { question, statistics, ranked: rankCandidates(question, passages, statistics) };
}

function statisticsOf(candidates: Candidates | null): CorpusStatistics {
  return {
    chunks: candidates?.chunks ?? 0,
    documentFrequency: new Map(candidates?.frequencies),
  };
}

function passageOf(row: CandidateRow): FoundPassage {
  return {
    chunkId: String(row.chunk_id),
    documentId: row.document_id,
    ordinal: row.ordinal,
    title: row.title,
    url: row.url,
    headings: row.headings,
    body: row.body,
    bm25: row.bm25,
    cosine: row.cosine,
  };
}
