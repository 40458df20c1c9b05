import type { CorpusStatistics } from './corpus-statistics.ts';
import type { FoundPassage } from './found-passage.ts';

/** What a question brought out of the documents that its asker may read. */
export interface Found {
  /** Of all chunks that were searched. */
  readonly statistics: CorpusStatistics;
  /** At most forty, the most promising first. */
  readonly passages: readonly FoundPassage[];
}
