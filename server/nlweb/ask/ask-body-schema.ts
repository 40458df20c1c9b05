import { z } from 'zod';
import { questionSchema } from '../../schemas/question-schema.ts';
import { objectDialectFields, questionObjectSchema } from '../object-dialect.ts';
import { upstreamFields } from '../upstream/upstream-fields.ts';
import { askFields } from './ask-fields.ts';
import { previousResponsesSchema } from './previous-responses-schema.ts';

export const askBodySchema = z.object({
  ...askFields,
  query: z.union([questionSchema, questionObjectSchema]).meta({
    description: 'A string; or an object, as NLWeb clients since version 0.5 send it.',
  }),
  previous_responses: previousResponsesSchema.default([]),
  ...upstreamFields,
  ...objectDialectFields,
});
