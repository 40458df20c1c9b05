import type { FoundPassage } from '../knowledge/found-passage.ts';
import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import { type SearchDependencies, searchKnowledge } from '../knowledge/search.ts';
import { maskedQuestion } from './masking/masked-question.ts';
import type { PublicQuestion } from './public-question.ts';
import { standaloneQuestion } from './standalone-question.ts';

/** The passages for a question among the documents that its caller may read, best first. */
export async function searchPublicly(
  dependencies: SearchDependencies,
  { workspace, caller, ...asked }: Pick<PublicQuestion, 'workspace' | 'caller' | 'text' | 'earlierTurns'>,
): Promise<readonly RankedChunk<FoundPassage>[]> {
  const { text, earlierTurns } = maskedQuestion(workspace, { ...asked, summary: null, overheard: [] });
  const { searchText } = standaloneQuestion(text, earlierTurns);
  const { ranked } = await searchKnowledge(dependencies, {
    workspaceId: workspace.id,
    question: searchText,
    audience: caller.audience,
    documentIds: null,
  });
  return ranked;
}
