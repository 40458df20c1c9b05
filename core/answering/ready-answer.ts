import type { Answer } from './answer.ts';

/** What needed no engine, as an answer. */
export function readyAnswer(text: string): Answer {
  return {
    text,
    sources: [],
    confidence: 'high',
    score: 0,
    tokensUsed: 0,
    skillsFired: [],
  };
}
