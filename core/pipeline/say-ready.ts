import type { AskRequest } from '../answering/ask.ts';
import { readyAnswer } from '../answering/ready-answer.ts';
import type { Turn } from '../conversations/turn.ts';
import type { AskedTurn } from './asked-turn.ts';
import { commitTurn, type SendingLane } from './commit-turn.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Says what needs no engine. */
export async function sayReady(
  { conversations, clock }: PipelineDependencies,
  asked: AskedTurn,
  { request, text }: { readonly request: AskRequest; readonly text: string },
): Promise<SendingLane | null> {
  const answer = readyAnswer(text);
  const turn: Turn = {
    ...request,
    workspaceId: asked.open.workspaceId,
    customer: asked.turn.sender,
    userId: null,
    answer,
    latencyMs: 0,
    ended: null,
    effects: [],
    awaited: undefined,
  };
  let toSend: SendingLane | null = null;
  const sending = (lane: SendingLane) => {
    toSend = lane;
  };
  await conversations.storeTurn(turn, (stored) =>
    commitTurn(asked, { now: clock.now(), sending }, { ...stored, answer }),
  );
  return toSend;
}
