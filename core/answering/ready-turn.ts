import type { Turn } from '../conversations/turn.ts';
import type { AskRequest } from './ask.ts';

/** A question and the words that are ready for it, as they are stored. Pure. */
export function readyTurn(request: AskRequest, text: string): Turn {
  return {
    ...request,
    workspaceId: request.workspace.id,
    customer: request.customer ?? null,
    userId: request.visitor?.userId ?? null,
    answer: { text, sources: [], confidence: 'high', score: 0, tokensUsed: 0, skillsFired: [] },
    latencyMs: 0,
    ended: null,
    effects: [],
    awaited: undefined,
  };
}
