import type { FoundPassage } from '../knowledge/found-passage.ts';
import type { RankedChunk } from '../knowledge/ranked-chunk.ts';
import type { EngineDependencies } from './engine.ts';
import { maskedQuestion } from './masking/masked-question.ts';
import type { PublicQuestion } from './public-question.ts';
import { standaloneQuestion } from './standalone-question.ts';

/** The passages for a question among the documents that are open to everybody, best first. */
export async function searchPublicly(
  { knowledge }: Pick<EngineDependencies, 'knowledge'>,
  { workspace, ...asked }: Pick<PublicQuestion, 'workspace' | 'text' | 'earlierTurns'>,
): Promise<readonly RankedChunk<FoundPassage>[]> {
  const { text, earlierTurns } = maskedQuestion(workspace, { ...asked, summary: null, overheard: [] });
  const { searchText } = standaloneQuestion(text, earlierTurns);
  const { ranked } = await knowledge.search({
    workspaceId: workspace.id,
    question: searchText,
    audience: [],
    documentIds: null,
  });
  return ranked;
}
