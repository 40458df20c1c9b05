import type { CorpusScope } from './corpus.ts';
import { innerProduct } from './inner-product.ts';
import { frequencyOf, placeOf } from './posting.ts';
import type { WeighedTerm } from './weigh-term.ts';

export interface Asked {
  readonly terms: readonly WeighedTerm[];
  /** Terms of a chunk of average length. */
  readonly averageLength: number;
  /** The question's, of unit length; null where there is none. */
  readonly vector: Float32Array | null;
}

/** What each passage of a scope has to do with a question, by its place. */
export interface ScopeMeasures {
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
export function measureScope(scope: CorpusScope, { terms, averageLength, vector }: Asked): ScopeMeasures {
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
      const place = placeOf(packed);
      const frequency = frequencyOf(packed);
      const length = (lengths[place] ?? 0) / averageLength;
      const saturation = (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
      scores[place] = (scores[place] ?? 0) + weight * saturation;
    }
  }
  return scores;
}
