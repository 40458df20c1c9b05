import type { FoundCandidates, FoundPassage } from '../passage.ts';
import { type Corpus, type CorpusScope, postingFrequency, postingPlace } from './corpus.ts';

interface CorpusQuery {
  /** The asker's tags. */
  readonly audience: readonly string[];
  /** Distinct term hashes of the question. */
  readonly terms: readonly number[];
  /** The question's vector, of unit length; null where there is none and words alone have to find it. */
  readonly vector: Float32Array | null;
}

/** As many as `find_candidates` tells. */
const mostPassages = 40;

/** What `find_candidates` finds in the database, by the same measures, of each passage that the asker may read. */
export function searchCorpus(corpus: Corpus, { audience, terms, vector }: CorpusQuery): FoundCandidates {
  const scopes = corpus.scopes.filter((scope) => isOpen(scope, audience));
  const chunks = scopes.reduce((sum, { passages }) => sum + passages.length, 0);
  const known = terms.map((term) => weighTerm(term, scopes, chunks)).filter(({ frequency }) => frequency > 0);
  const termCount = scopes.reduce((sum, scope) => sum + scope.termCount, 0);
  const asked = { terms: known, averageLength: Math.max(1, termCount / Math.max(1, chunks)), vector };
  return {
    statistics: { chunks, documentFrequency: new Map(known.map((one) => [one.term, one.frequency])) },
    passages: selectTopPassages(
      scopes.map((scope) => measureScope(scope, asked)),
      mostPassages,
    ),
  };
}

function isOpen({ audience }: CorpusScope, tags: readonly string[]): boolean {
  return audience.length === 0 || audience.some((tag) => tags.includes(tag));
}

interface ScopeQuestion {
  readonly terms: readonly WeighedTerm[];
  /** Terms of a chunk of average length. */
  readonly averageLength: number;
  /** The question's, of unit length; null where there is none. */
  readonly vector: Float32Array | null;
}

/** What each passage of a scope has to do with a question, by its place. */
interface ScopeMeasures {
  readonly scope: CorpusScope;
  readonly bm25: Float64Array;
  /** Null where the question has no vector. */
  readonly cosine: Float64Array | null;
  /** In what order passages are candidates. */
  readonly promise: Float64Array;
}

const [k1, b] = [1.2, 0.75];
const [wordsCount, meaningCounts] = [0.4, 0.6];

/** By the formulas of `bm25_saturation` and `find_candidates` in the database. */
function measureScope(scope: CorpusScope, { terms, averageLength, vector }: ScopeQuestion): ScopeMeasures {
  const bm25 = wordScores(scope, terms, averageLength);
  const whole = Math.max(0.001, (k1 + 1) * terms.reduce((sum, { weight }) => sum + weight, 0));
  const cosine = vector === null ? null : cosines(scope, vector);
  const promise = bm25.map(
    (words, place) => (wordsCount * words) / whole + meaningCounts * (cosine?.[place] ?? 0),
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
      const saturation = (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
      scores[place] = (scores[place] ?? 0) + weight * saturation;
    }
  }
  return scores;
}

interface WeighedTerm {
  readonly term: number;
  /** In how many of the chunks it occurs. */
  readonly frequency: number;
  /** Its inverse document frequency, as BM25 has it. */
  readonly weight: number;
}

function weighTerm(term: number, scopes: readonly CorpusScope[], chunks: number): WeighedTerm {
  let frequency = 0;
  for (const { postings } of scopes) frequency += postings.get(term)?.length ?? 0;
  return { term, frequency, weight: Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5)) };
}

/** Of `vector` and the numbers of `vectors` from `start` on. Four sums at a time: they do not wait for each other. */
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
  readonly passage: FoundPassage;
}

/** The `most` passages with the highest promise, the highest first. */
export function selectTopPassages(measures: readonly ScopeMeasures[], most: number): readonly FoundPassage[] {
  const least = promiseThreshold(measures, most);
  return measures
    .flatMap((scope) => passagesAbove(scope, least))
    .sort((one, other) => other.promise - one.promise)
    .slice(0, most)
    .map(({ passage }) => passage);
}

/** What the last of the `most` promises. */
function promiseThreshold(measures: readonly ScopeMeasures[], most: number): number {
  const all = new Float64Array(measures.reduce((sum, { promise }) => sum + promise.length, 0));
  let at = 0;
  for (const { promise } of measures) {
    all.set(promise, at);
    at += promise.length;
  }
  return all.sort().at(-most) ?? Number.NEGATIVE_INFINITY;
}

function passagesAbove({ scope, bm25, cosine, promise }: ScopeMeasures, least: number): readonly Promising[] {
  const found: Promising[] = [];
  for (const [place, passage] of scope.passages.entries()) {
    const promised = promise[place] ?? 0;
    if (promised < least) continue;
    const measured = { ...passage, bm25: bm25[place] ?? 0, cosine: cosine?.[place] ?? null };
    found.push({ promise: promised, passage: measured });
  }
  return found;
}
