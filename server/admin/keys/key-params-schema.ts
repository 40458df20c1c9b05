import { z } from 'zod';
import { answerWith } from '../../schemas/answer-with.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

/** The path parameters of one API key. */
export const keyParamsSchema = workspaceParamsSchema.extend({
  key_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('key_not_found')),
});
