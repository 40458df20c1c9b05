import { z } from 'zod';
import { characters } from '../../schemas/characters.ts';
import { questionSchema } from '../../schemas/question-schema.ts';

/** What every form of a question to the public agent takes. */
export const askFields = {
  query: questionSchema,
  site: characters({ max: 2_000 }).optional().meta({ description: 'Where it is asked from; only logged.' }),
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/)
    .transform((code) => code.slice(0, 2).toLowerCase())
    .optional()
    .meta({ description: 'ISO 639-1; told by the question when absent.', examples: ['en'] }),
};
