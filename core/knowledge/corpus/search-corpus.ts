import type { Found } from '../found.ts';
import type { Corpus, CorpusScope } from './corpus.ts';
import { measureScope } from './measure-scope.ts';
import { mostPromising } from './most-promising.ts';
import { weighTerm } from './weigh-term.ts';

export interface CorpusQuery {
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
export function searchCorpus(corpus: Corpus, { audience, terms, vector }: CorpusQuery): Found {
  const scopes = corpus.scopes.filter((scope) => isOpen(scope, audience));
  const chunks = scopes.reduce((sum, { passages }) => sum + passages.length, 0);
  const known = terms.map((term) => weighTerm(term, scopes, chunks)).filter(({ frequency }) => frequency > 0);
  const termCount = scopes.reduce((sum, scope) => sum + scope.termCount, 0);
  const asked = { terms: known, averageLength: Math.max(1, termCount / Math.max(1, chunks)), vector };
  return {
    statistics: { chunks, documentFrequency: new Map(known.map((one) => [one.term, one.frequency])) },
    passages: mostPromising(
      scopes.map((scope) => measureScope(scope, asked)),
      mostPassages,
    ),
  };
}

function isOpen({ audience }: CorpusScope, tags: readonly string[]): boolean {
  return audience.length === 0 || audience.some((tag) => tags.includes(tag));
}
