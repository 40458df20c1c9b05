import type { FoundCandidates, FoundPassage } from '../passage.ts';
import { hasSentences, sentenceCosines } from '../sentence-vectors.ts';
import type { WeighedVector } from '../vectors.ts';
import {
  type Corpus,
  type CorpusPassage,
  type CorpusScope,
  postingFrequency,
  postingPlace,
} from './corpus.ts';

interface CorpusQuery {
  /** Audience tags of the caller. */
  readonly audience: readonly string[];
  /** Distinct term hashes of the question. */
  readonly terms: readonly number[];
  /** The question's vector; null searches by words alone. */
  readonly vector: WeighedVector | null;
}

/** The same limit as in the SQL function `find_candidates`. */
const MAX_PASSAGES = 40;

/** Finds in memory what the SQL function `find_candidates` finds in the database, with the same measures. */
export function searchCorpus(corpus: Corpus, { audience, terms, vector }: CorpusQuery): FoundCandidates {
  const scopes = corpus.scopes.filter((scope) => isReadable(scope, audience));
  const chunks = scopes.reduce((sum, { passages }) => sum + passages.length, 0);
  const known = terms.map((term) => weighTerm(term, scopes, chunks)).filter(({ frequency }) => frequency > 0);
  const termCount = scopes.reduce((sum, scope) => sum + scope.termCount, 0);
  const question = { terms: known, averageLength: Math.max(1, termCount / Math.max(1, chunks)), vector };
  return {
    statistics: { chunks, documentFrequency: new Map(known.map((one) => [one.term, one.frequency])) },
    passages: selectTopPassages(
      scopes.map((scope) => measureScope(scope, question)),
      MAX_PASSAGES,
    ).map((found) => toFoundPassage(found, vector)),
  };
}

function toFoundPassage(
  { sentences, changedAt: _, ...found }: MeasuredPassage,
  vector: WeighedVector | null,
): FoundPassage {
  const isComparable = vector !== null && hasSentences(vector) && sentences !== null;
  return { ...found, unitCosines: isComparable ? sentenceCosines(sentences, vector.values) : null };
}

type MeasuredPassage = CorpusPassage & Pick<FoundPassage, 'bm25' | 'cosine'>;

function isReadable({ audience }: CorpusScope, tags: readonly string[]): boolean {
  return audience.length === 0 || audience.some((tag) => tags.includes(tag));
}

interface ScopeQuestion {
  readonly terms: readonly WeighedTerm[];
  /** Terms of a chunk of average length. */
  readonly averageLength: number;
  /** Null if words alone choose the candidates. */
  readonly vector: WeighedVector | null;
}

/** Measures of each passage of a scope for one question, by index of the passage. */
interface ScopeMeasures {
  readonly scope: CorpusScope;
  readonly bm25: Float64Array;
  /** Null if the question has no vector. */
  readonly cosine: Float64Array | null;
  /** Weighted sum that orders the candidates; minus infinity for a passage that is none. */
  readonly promise: Float64Array;
}

const [K1, B] = [1.2, 0.75];

/**
 * Applies the formulas of the SQL functions `bm25_saturation` and `find_candidates`. By words alone, a passage without a
 * word of the question is no candidate.
 */
function measureScope(scope: CorpusScope, { terms, averageLength, vector }: ScopeQuestion): ScopeMeasures {
  const bm25 = wordScores(scope, terms, averageLength);
  if (vector === null) {
    const promise = bm25.map((words) => (words === 0 ? Number.NEGATIVE_INFINITY : words));
    return { scope, bm25, cosine: null, promise };
  }
  const whole = Math.max(0.001, (K1 + 1) * terms.reduce((sum, { weight }) => sum + weight, 0));
  const cosine = cosines(scope, vector.values);
  const promise = bm25.map(
    (words, place) => ((1 - vector.weight) * words) / whole + vector.weight * (cosine[place] ?? 0),
  );
  return { scope, bm25, cosine, promise };
}

function cosines({ lengths, vectors }: CorpusScope, vector: Float32Array): Float64Array {
  const cosine = new Float64Array(lengths.length);
  for (let place = 0; place < cosine.length; place += 1) {
    cosine[place] = innerProduct(vectors, place * vector.length, vector);
  }
  return cosine;
}

function wordScores(
  { lengths, postings }: CorpusScope,
  terms: readonly WeighedTerm[],
  averageLength: number,
): Float64Array {
  const scores = new Float64Array(lengths.length);
  for (const { term, weight } of terms) {
    for (const packed of postings.get(term) ?? []) {
      const place = postingPlace(packed);
      const frequency = postingFrequency(packed);
      const length = (lengths[place] ?? 0) / averageLength;
      const saturation = (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * length));
      scores[place] = (scores[place] ?? 0) + weight * saturation;
    }
  }
  return scores;
}

interface WeighedTerm {
  readonly term: number;
  /** Number of chunks that contain the term. */
  readonly frequency: number;
  /** Inverse document frequency as in BM25. */
  readonly weight: number;
}

function weighTerm(term: number, scopes: readonly CorpusScope[], chunks: number): WeighedTerm {
  let frequency = 0;
  for (const { postings } of scopes) frequency += postings.get(term)?.length ?? 0;
  return { term, frequency, weight: Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5)) };
}

/** Returns the inner product of `vector` and `vectors` from `start`. Four independent sums pipeline better than one. */
function innerProduct(vectors: Float32Array, start: number, vector: Float32Array): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let at = 0; at < vector.length; at += 4) {
    one += (vectors[start + at] ?? 0) * (vector[at] ?? 0);
    two += (vectors[start + at + 1] ?? 0) * (vector[at + 1] ?? 0);
    three += (vectors[start + at + 2] ?? 0) * (vector[at + 2] ?? 0);
    four += (vectors[start + at + 3] ?? 0) * (vector[at + 3] ?? 0);
  }
  return one + two + three + four;
}

interface Promising {
  readonly promise: number;
  readonly passage: MeasuredPassage;
}

/** Returns the `count` passages with the highest promise, highest first. */
export function selectTopPassages(
  measures: readonly ScopeMeasures[],
  count: number,
): readonly MeasuredPassage[] {
  const threshold = promiseThreshold(measures, count);
  return measures
    .flatMap((scope) => passagesAbove(scope, threshold))
    .sort((one, other) => other.promise - one.promise)
    .slice(0, count)
    .map(({ passage }) => passage);
}

/** Returns the promise of the passage at rank `count`. */
function promiseThreshold(measures: readonly ScopeMeasures[], count: number): number {
  const all = new Float64Array(measures.reduce((sum, { promise }) => sum + promise.length, 0));
  let at = 0;
  for (const { promise } of measures) {
    all.set(promise, at);
    at += promise.length;
  }
  return all.sort().at(-count) ?? Number.NEGATIVE_INFINITY;
}

function passagesAbove(
  { scope, bm25, cosine, promise }: ScopeMeasures,
  threshold: number,
): readonly Promising[] {
  const found: Promising[] = [];
  for (const [place, passage] of scope.passages.entries()) {
    const passagePromise = promise[place] ?? 0;
    if (passagePromise < threshold || passagePromise === Number.NEGATIVE_INFINITY) continue;
    const measuredPassage = { ...passage, bm25: bm25[place] ?? 0, cosine: cosine?.[place] ?? null };
    found.push({ promise: passagePromise, passage: measuredPassage });
  }
  return found;
}
