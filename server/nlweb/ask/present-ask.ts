import type { z } from 'zod';
import type { AskResult } from '../../../core/answering/ask.ts';
import type { askAnswerSchema } from './ask-answer-schema.ts';

/** An answer, as section 2.11 of the API names its fields. */
export function presentAsk({ answer, conversationId }: AskResult): z.output<typeof askAnswerSchema> {
  return {
    answer: answer.text,
    answer_type: 'text',
    sources: answer.sources.map(({ title, chunk, score }) => ({
      name: title,
      snippet: chunk,
      relevance: score,
    })),
    conversation_id: conversationId,
  };
}
