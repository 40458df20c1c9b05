import { answerWith } from './answer-with.ts';
import { wordsSchema } from './words-schema.ts';

/** The text of a question, trimmed. */
export const questionSchema = wordsSchema
  .refine((text) => text !== '', answerWith('missing_field'))
  .meta({ minLength: 1, maxLength: 4_000 });
