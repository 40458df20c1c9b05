import type { EarlierMessage } from '../../contract/facets.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import type { EarlierTurn } from '../standalone-question.ts';
import { maskSecrets } from './mask-secrets.ts';

interface Asked {
  readonly text: string;
  readonly earlierTurns: readonly EarlierTurn[];
  /** Of what was said before those. */
  readonly summary: string | null;
  readonly overheard: readonly EarlierMessage[];
}

/**
 * A question and what was said before it as models may read them, of answers and of embeddings: without the visitor's
 * secrets where the workspace wants it so. What is stored stays as it was written.
 */
export function maskedQuestion({ settings }: Pick<Workspace, 'settings'>, asked: Asked): Asked {
  if (settings.mask_secrets !== true) return asked;
  const { text, earlierTurns, summary, overheard } = asked;
  const masked = earlierTurns.map(({ question, answer }) => ({
    question: maskSecrets(question),
    answer: answer && maskSecrets(answer),
  }));
  return {
    text: maskSecrets(text),
    earlierTurns: masked,
    summary: summary && maskSecrets(summary),
    overheard: overheard.map((said) => ({ ...said, text: maskSecrets(said.text) })),
  };
}
