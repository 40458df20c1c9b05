import type { SearchResult } from '../../knowledge/search.ts';

/** Of the best passage; 0 where none was found. */
export function bestScore({ ranked }: Pick<SearchResult, 'ranked'>): number {
  return ranked[0]?.score ?? 0;
}
