import { z } from 'zod';
import { answerWith } from './answer-with.ts';

const longest = 4_000;

/** The text of a question, trimmed. */
export const questionSchema = z
  .string()
  .trim()
  .refine((text) => text !== '', answerWith('missing_field'))
  .refine((text) => Array.from(text).length <= longest, answerWith('message_too_long'))
  .meta({ minLength: 1, maxLength: longest });
