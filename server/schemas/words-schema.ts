import { z } from 'zod';
import { answerWith } from './answer-with.ts';

const longest = 4_000;

/** What somebody says, trimmed; it may be nothing. */
export const wordsSchema = z
  .string()
  .trim()
  .refine((text) => Array.from(text).length <= longest, answerWith('message_too_long'))
  .meta({ maxLength: longest });
