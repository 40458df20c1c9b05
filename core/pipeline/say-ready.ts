import type { Answer } from '../answering/answer.ts';
import type { AskRequest } from '../answering/ask.ts';
import type { Turn } from '../conversations/turn.ts';
import type { AskedTurn } from './asked-turn.ts';
import { commitTurn } from './commit-turn.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/** Says what needs no engine. */
export async function sayReady(
  { conversations, clock }: PipelineDependencies,
  asked: AskedTurn,
  { request, text }: { readonly request: AskRequest; readonly text: string },
): Promise<void> {
  const answer: Answer = {
    text,
    sources: [],
    confidence: 'high',
    score: 0,
    tokensUsed: 0,
    skillsFired: [],
  };
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
  await conversations.storeTurn(turn, (transaction, stored) =>
    commitTurn(transaction, { ...asked, now: clock.now() }, { ...stored, answer }),
  );
}
