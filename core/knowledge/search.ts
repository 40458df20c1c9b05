import type { Kysely } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Place } from '../contract/answer.ts';
import type { LanguageClass } from '../language/language.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Corpora } from './corpus/corpora.ts';
import { searchCorpus } from './corpus/search-corpus.ts';
import { type CuratedRule, markCurated, type StagedAnswers, separateRule } from './curated/curated-marks.ts';
import { addDrafted, type DraftedAnswer } from './curated/drafted-answer.ts';
import { type CosineMap, mapToBuiltIn } from './embedding/cosine-scale.ts';
import { type Embedder, spaceOf } from './embedding/embedder.ts';
import type { CorpusStatistics, FoundCandidates, FoundPassage, RankedChunk } from './passage.ts';
import type { PassageReader } from './passage-reader/passage-reader.ts';
import { needsReader, orderByReader, readerDecision } from './passage-reader/reader-order.ts';
import { type AnalysedQuestion, analyseQuestion } from './ranking/analyse-question.ts';
import { rankCandidates } from './ranking/rank-candidates.ts';
import type { Reranker } from './ranking/reranker.ts';
import { correctSpelling } from './ranking/spelling.ts';
import { searchRules } from './rules.ts';
import { decodeSentenceVectors, hasSentences, sentenceCosines } from './sentence-vectors.ts';
import { encodeVector, type WeighedVector } from './vectors.ts';

interface SearchRequest {
  readonly workspaceId: string;
  readonly question: string;
  /** Audience tags of the caller: documents that have only other tags are not searched. */
  readonly audience: readonly string[];
  /** Null searches all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  /** A curated answer to find as if it were stored. Absent or null: none. */
  readonly drafted?: DraftedAnswer | null;
  /** Once aborted, no further step starts and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

export interface SearchResult {
  readonly question: AnalysedQuestion;
  /** Best first: by score, or as `rerankPassages` orders them. */
  readonly ranked: readonly RankedChunk<FoundPassage>[];
  readonly statistics: CorpusStatistics;
  /** The curated answer without text that came before all passages. Absent or null: none did. */
  readonly rule?: CuratedRule | null;
}

export interface SearchDependencies {
  readonly database: Kysely<Tables>;
  readonly embedder: Embedder;
  readonly corpora: Pick<Corpora, 'current' | 'findModel' | 'loaded'> & {
    /** The curated answers of a change set on trial. Absent: none. */
    readonly staged?: StagedAnswers;
  };
  /** Null or absent: the scores decide the order. */
  readonly reranker?: Pick<Reranker, 'order'> | null;
  /** Null or absent: nothing is read before an answer. A reranker replaces it. */
  readonly passageReader?: PassageReader | null;
}

interface OrderOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether a language model writes the answer: it reads the passages itself. */
  readonly hasWriter?: boolean;
}

/** Retrieval reads this many characters of a question at most. */
const MAX_QUESTION_CHARACTERS = 1_000;

/**
 * Searches by words and vectors together, in languages that the embedding model cannot read by words alone. An English
 * question with misspelt words is searched again with them corrected. If the provider's embedding model fails, it searches
 * by words alone and throws the provider's `AppError` if no passage reaches `answerThreshold`: with a vector there might be
 * an answer.
 */
export async function searchKnowledge(
  dependencies: SearchDependencies,
  request: SearchRequest,
): Promise<SearchResult> {
  const text = Array.from(request.question).slice(0, MAX_QUESTION_CHARACTERS).join('');
  const first = await findByText(dependencies, request, text);
  const corrected = correctSpelling(first.question, first.found);
  const { question, questionVector, found } =
    corrected === null ? first : await findByText(dependencies, request, corrected);
  const ranked = rankCandidates(question, found.passages, found.statistics, found);
  if (questionVector.failure !== null && (ranked[0]?.score ?? 0) < searchRules.answerThreshold)
    throw questionVector.failure;
  return { question, statistics: found.statistics, ...separateRule(ranked) };
}

/** Analyses a text and finds its candidates. */
async function findByText(dependencies: SearchDependencies, request: SearchRequest, text: string) {
  const question = analyseQuestion(text);
  const { questionVector, ...found } = await findPassages(dependencies, request, {
    text,
    terms: question.hashes,
    language: question.language.class,
  });
  const asked = {
    ...{ workspaceId: request.workspaceId, question: request.question },
    staged: dependencies.corpora.staged,
  };
  const passages = await markCurated(dependencies.database, asked, found.passages);
  return { question, questionVector, found: { ...found, passages } };
}

/**
 * Returns a result with its best passages in the order of the reranker, if there is one; otherwise in that of the reader, if
 * it can change what is answered, with its scores. Throws the reason of the signal.
 */
export async function rerankPassages(
  { reranker = null, passageReader = null }: Pick<SearchDependencies, 'reranker' | 'passageReader'>,
  found: SearchResult,
  { signal, hasWriter = false }: OrderOptions = {},
): Promise<SearchResult> {
  const { question, ranked, rule = null } = found;
  // A text that people wrote for exactly this question needs no second opinion.
  if (rule !== null || ranked[0]?.isExact === true) return found;
  if (reranker !== null) return { ...found, ranked: await reranker.order(question.text, ranked, signal) };
  if (passageReader === null || !needsReader(found, { hasWriter })) return found;
  const deadlineMs = searchRules.readerDeadlineMs;
  const readings = await passageReader.read(question.text, ranked, { signal, deadlineMs });
  return { ...found, ranked: orderByReader(ranked, readings, readerDecision) };
}

/** Returns the share of the cosine in the choice of candidates. In other scripts the built-in model recognises nothing. */
function vectorWeight(language: LanguageClass): number {
  if (language === 'english') return searchRules.englishVectorWeight;
  return language === 'latin' ? searchRules.latinVectorWeight : 0;
}

interface AnalysedQuery {
  readonly text: string;
  readonly terms: readonly number[];
  readonly language: LanguageClass;
}

/** The vector of a question (null if it needs none), or the provider's failure. */
type QuestionVector =
  | { readonly vector: WeighedVector | null; readonly failure: null }
  | { readonly vector: null; readonly failure: AppError };

interface FoundByModel extends FoundCandidates {
  readonly questionVector: QuestionVector;
  /** Whether the model of the vectors reads other languages than English. */
  readonly isMultilingual: boolean;
}

/** Searches in memory if the workspace's corpus is loaded, otherwise in one round trip to the database. */
async function findPassages(
  { database, embedder, corpora }: SearchDependencies,
  { workspaceId, audience, documentIds, signal, drafted = null, question: asked }: SearchRequest,
  { text, terms, language }: AnalysedQuery,
): Promise<FoundByModel> {
  const [model, corpus] = await Promise.all([
    embedByWorkspace({ embedder, corpora, workspaceId }, text, language),
    documentIds === null ? corpora.current(workspaceId) : null,
  ]);
  signal?.throwIfAborted();
  const { questionVector, scale, isMultilingual } = model;
  const { vector } = questionVector;
  const query = { audience, terms, vector };
  const found =
    corpus === null || (vector !== null && corpus.modelId !== (vector.modelId ?? 0))
      ? await findCandidates(database, { workspaceId, documentIds, ...query })
      : searchCorpus(corpus, query);
  const all = drafted === null ? found : addDrafted(found, drafted, { question: asked, terms, vector });
  return { ...all, questionVector, isMultilingual, passages: toBuiltInScale(all.passages, scale) };
}

interface EmbeddedQuestion {
  readonly questionVector: QuestionVector;
  readonly scale: CosineMap | null;
  readonly isMultilingual: boolean;
}

const wordsAlone: EmbeddedQuestion = {
  ...{ questionVector: { vector: null, failure: null }, scale: null, isMultilingual: false },
};

/**
 * Embeds a question with the model of the workspace's vectors. While they are made anew with another model, that is the
 * earlier one. The installation's model starts before the database has told which one it is: mostly it is that one.
 */
async function embedByWorkspace(
  { embedder, corpora, workspaceId }: Pick<SearchDependencies, 'embedder' | 'corpora'> & WorkspaceOf,
  text: string,
  language: LanguageClass,
): Promise<EmbeddedQuestion> {
  const [embedded, modelId] = await Promise.all([
    embedQuestion(embedder, text, language),
    corpora.findModel(workspaceId),
  ]);
  if (modelId === null || modelId === spaceOf(embedder)?.id) return embedded;
  const other = await embedder.findModel?.(modelId);
  return other == null ? wordsAlone : embedQuestion(other, text, language);
}

interface WorkspaceOf {
  readonly workspaceId: string;
}

async function embedQuestion(
  embedder: Embedder,
  text: string,
  language: LanguageClass,
): Promise<EmbeddedQuestion> {
  const space = spaceOf(embedder);
  if (space === null) return wordsAlone;
  const { id, isMultilingual } = space;
  const scale = space.scale === null ? null : mapToBuiltIn(space.scale);
  const weight = scaleWeight(vectorWeight(isMultilingual ? 'english' : language), scale);
  const read = { scale, isMultilingual };
  if (weight === 0) return { ...read, questionVector: { vector: null, failure: null } };
  try {
    const vector = { values: await embedder.embedQuery(text), weight, modelId: id };
    return { ...read, questionVector: { vector, failure: null } };
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    return { ...read, questionVector: { vector: null, failure } };
  }
}

/** The weight that gives a model's own cosines the share that the built-in model's would have with `weight`. */
function scaleWeight(weight: number, scale: CosineMap | null): number {
  if (scale === null) return weight;
  const scaled = weight * scale.slope;
  return scaled / (1 - weight + scaled);
}

function toBuiltInScale(passages: readonly FoundPassage[], scale: CosineMap | null): readonly FoundPassage[] {
  if (scale === null) return passages;
  return passages.map((passage) =>
    passage.cosine === null
      ? passage
      : { ...passage, cosine: Math.min(1, scale.offset + scale.slope * passage.cosine) },
  );
}

interface CandidateQuery {
  readonly workspaceId: string;
  /** Audience tags of the caller. */
  readonly audience: readonly string[];
  /** Null searches all documents of the workspace. */
  readonly documentIds: readonly string[] | null;
  /** Distinct term hashes of the question. */
  readonly terms: readonly number[];
  /** The question's vector; null searches by words alone. */
  readonly vector: WeighedVector | null;
}

/** The JSON value that the SQL function `find_candidates` returns. */
interface Candidates {
  /** Number of chunks in the searched scopes. */
  readonly chunks: number;
  /** Number of those chunks that contain each term; null if no term occurs. */
  readonly frequencies: readonly (readonly [term: number, chunks: number])[] | null;
  /** Null if there are no candidates. */
  readonly found: readonly CandidateRow[] | null;
}

interface CandidateRow {
  readonly chunk_id: number;
  readonly document_id: string;
  readonly ordinal: number;
  readonly title: string;
  readonly url: string | null;
  readonly headings: readonly string[];
  readonly body: string;
  readonly place: Place | null;
  /** The score summed over all terms of the question. */
  readonly bm25: number;
  /** Null if words alone were searched. */
  readonly cosine: number | null;
}

/**
 * Number of postings read for candidates, rarest terms first. Frequent terms hardly change the set of candidates;
 * they still count exactly in the score of each candidate.
 */
const POSTING_BUDGET = 4_000;

/** Returns one JSON value: the driver parses it in half the time of rows with eleven columns. */
const findCandidatesQuery = prepareStatement<{ candidates: Candidates | null }>(
  'select find_candidates($1, $2, $3, $4, $5, $6, $7, $8) as candidates',
);

/**
 * Finds candidates by words and vectors in one round trip to the database, filtered by workspace, audience and
 * documents.
 */
export async function findCandidates(
  database: Kysely<Tables>,
  query: CandidateQuery,
): Promise<FoundCandidates> {
  const { workspaceId, audience, documentIds, terms, vector } = query;
  const [row] = await findCandidatesQuery(database, [
    workspaceId,
    audience,
    documentIds,
    terms,
    vector === null ? null : encodeVector(vector.values),
    POSTING_BUDGET,
    vector?.weight ?? 0,
    vector?.modelId ?? 0,
  ]);
  const candidates = row?.candidates;
  const found = candidates?.found ?? [];
  const units = await findUnitCosines(database, found, query);
  return {
    statistics: { chunks: candidates?.chunks ?? 0, documentFrequency: new Map(candidates?.frequencies) },
    passages: found.map((candidate) => toFoundPassage(candidate, units.get(candidate.chunk_id) ?? null)),
  };
}

/** Encoded: the embedded engine's driver takes as long to parse bytes as the search takes. */
const findSentenceVectors = prepareStatement<{ chunk_id: number; vectors: string }>(
  `select chunk_id, encode(vectors, 'base64') as vectors from sentence_vector
   where chunk_id = any($1) and scope_id in (select id from scope where workspace_id = $2)`,
);

/** Returns the cosines of the question and the units of each candidate, by id, where both have vectors. */
async function findUnitCosines(
  database: Kysely<Tables>,
  found: readonly CandidateRow[],
  { workspaceId, vector }: CandidateQuery,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const byChunk = new Map<number, readonly number[]>();
  if (vector === null || !hasSentences(vector) || found.length === 0) return byChunk;
  const ids = found.map((candidate) => candidate.chunk_id);
  for (const { chunk_id, vectors } of await findSentenceVectors(database, [ids, workspaceId])) {
    const cosines = sentenceCosines(decodeSentenceVectors(vectors), vector.values);
    if (cosines !== null) byChunk.set(chunk_id, cosines);
  }
  return byChunk;
}

function toFoundPassage(row: CandidateRow, unitCosines: readonly number[] | null): FoundPassage {
  return {
    chunkId: String(row.chunk_id),
    documentId: row.document_id,
    ordinal: row.ordinal,
    title: row.title,
    url: row.url,
    headings: row.headings,
    body: row.body,
    place: row.place,
    bm25: row.bm25,
    cosine: row.cosine,
    unitCosines,
  };
}
