import type { SearchResult } from '../knowledge/search.ts';

/** Of the best passage; 0 where none was found. */
export function bestScore(found: Pick<SearchResult, 'ranked'> | null): number {
  return found?.ranked[0]?.score ?? 0;
}
