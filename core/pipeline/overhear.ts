import type { EarlierMessage } from '../contract/earlier-message.ts';
import { cutText } from '../cut-text.ts';
import { storable } from '../storable.ts';
import { askBriefly } from './ask-briefly.ts';
import type { VisitorTurn } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Of each message: what is longer was pasted. */
const mostChars = 2_000;

/** What people said to one another before they speak to us, where the platform tells it; nothing where that fails. */
export async function overhear(
  dependencies: Pick<PipelineDependencies, 'connectorCalls' | 'log'>,
  open: OpenAccount,
  { conversation: to, messageIds: [messageId] }: VisitorTurn,
): Promise<readonly EarlierMessage[]> {
  const { account, connector } = open;
  const { earlier } = connector.facets;
  if (earlier === undefined || messageId === undefined) return [];
  const said = await askBriefly(dependencies, account, {
    ask: (tools) => earlier({ to, messageId }, account, tools),
    failure: 'what was said before could not be read',
  });
  return (said ?? []).map(({ author, text }) => ({
    author: storable(author),
    text: cutText(storable(text), mostChars),
  }));
}
