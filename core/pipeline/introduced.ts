import type { Sender } from '../contract/inbound-event.ts';
import { storable } from '../storable.ts';
import { askBriefly } from './ask-briefly.ts';
import type { AskedTurn } from './asked-turn.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { turnLanguage } from './turn-language.ts';

/** With who the visitor is, where the platform tells that only to who asks; as it was where that fails. */
export async function introduced(
  dependencies: Pick<PipelineDependencies, 'connectorCalls' | 'log'>,
  asked: AskedTurn,
): Promise<AskedTurn> {
  const { account, connector } = asked.open;
  const { introduce } = connector.facets;
  const { sender, conversation: to } = asked.turn;
  if (introduce === undefined || sender.kind !== 'person') return asked;
  const told = await askBriefly(dependencies, account, {
    ask: (tools) => introduce({ id: sender.id, to }, account, tools),
    failure: 'who wrote could not be found out',
  });
  if (told === null) return asked;
  const known: Sender = {
    ...sender,
    name: told.name === null ? sender.name : storable(told.name),
    email: told.email === null ? sender.email : storable(told.email),
    language: told.language ?? sender.language,
  };
  const turn = { ...asked.turn, sender: known };
  const language = known.language === sender.language ? asked.language : turnLanguage(turn);
  return { ...asked, turn, language };
}
