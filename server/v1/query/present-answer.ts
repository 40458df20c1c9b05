import type { AskResult } from '../../../core/answering/ask.ts';
import { presentSource } from './present-source.ts';

/** The answer to a query, as section 2.6 of the API names its fields. */
export function presentAnswer({ answer, conversationId, messageId, latencyMs }: AskResult) {
  return {
    answer: answer.text,
    sources: answer.sources.map(presentSource),
    conversation_id: conversationId,
    message_id: messageId,
    query_id: messageId,
    tokens_used: answer.tokensUsed,
    skills_fired: [...answer.skillsFired],
    latency_ms: latencyMs,
    confidence: answer.confidence,
  };
}
