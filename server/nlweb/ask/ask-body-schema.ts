import { z } from 'zod';
import { upstreamFields } from '../upstream/upstream-fields.ts';
import { askFields } from './ask-fields.ts';
import { previousResponsesSchema } from './previous-responses-schema.ts';

export const askBodySchema = z.object({
  ...askFields,
  previous_responses: previousResponsesSchema.default([]),
  ...upstreamFields,
});
