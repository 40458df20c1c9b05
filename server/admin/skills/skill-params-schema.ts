import { z } from 'zod';
import { answerWith } from '../../schemas/answer-with.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

/** The path parameters of one HTTP skill. */
export const skillParamsSchema = workspaceParamsSchema.extend({
  skill_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('skill_not_found')),
});
