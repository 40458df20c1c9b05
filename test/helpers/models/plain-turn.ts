import type { Turn } from '../../../core/conversations/messages/turn.ts';

/** A question of an unknown visitor that begins a conversation, with its answer. */
export function plainTurn(workspaceId: string, change: Partial<Turn> = {}): Turn {
  return {
    workspaceId,
    channel: 'api',
    conversationId: null,
    sessionId: null,
    userId: null,
    customer: null,
    question: 'How long may I send it back?',
    metadata: null,
    answer: {
      text: 'Thirty days.',
      sources: [],
      citations: [],
      ...{ confidence: 'high', tier: 'answer', probability: 0.9, lead: null },
      score: 0.9,
      tokensUsed: 0,
      skillsFired: [],
      tier: 'answer',
      probability: 0.9,
      lead: null,
      isGenerated: false,
      isQuoted: true,
    },
    decision: null,
    latencyMs: 12,
    ended: null,
    effects: [],
    awaited: undefined,
    ...change,
  };
}
