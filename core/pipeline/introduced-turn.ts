import type { Sender } from '../contract/inbound-event.ts';
import { storable } from '../storable.ts';
import { askBriefly } from './ask-briefly.ts';
import type { VisitorTurn } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** With who the visitor is, where the platform tells that only to who asks; as it was where that fails. */
export async function introducedTurn(
  dependencies: Pick<PipelineDependencies, 'connectorCalls' | 'log'>,
  { account, connector }: OpenAccount,
  turn: VisitorTurn,
): Promise<VisitorTurn> {
  const { introduce } = connector.facets;
  const { sender, conversation: to } = turn;
  if (introduce === undefined || sender.kind !== 'person') return turn;
  const told = await askBriefly(dependencies, account, {
    ask: (tools) => introduce({ id: sender.id, to }, account, tools),
    failure: 'who wrote could not be found out',
  });
  if (told === null) return turn;
  const known: Sender = {
    ...sender,
    name: told.name === null ? sender.name : storable(told.name),
    email: told.email === null ? sender.email : storable(told.email),
    language: told.language ?? sender.language,
  };
  return { ...turn, sender: known };
}
