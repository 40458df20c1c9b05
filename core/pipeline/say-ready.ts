import type { AskRequest } from '../answering/ask.ts';
import { readyTurn } from '../answering/ready-turn.ts';
import type { AskedTurn } from './asked-turn.ts';
import { commitTurn, type SendingLane } from './commit-turn.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Says what needs no engine. */
export async function sayReady(
  { conversations }: PipelineDependencies,
  asked: AskedTurn,
  { request, text }: { readonly request: AskRequest; readonly text: string },
): Promise<SendingLane | null> {
  const turn = readyTurn(request, text);
  const { answer } = turn;
  let toSend: SendingLane | null = null;
  const sending = (lane: SendingLane) => {
    toSend = lane;
  };
  await conversations.storeTurn(turn, (stored) => commitTurn(asked, { sending }, { ...stored, answer }));
  return toSend;
}
