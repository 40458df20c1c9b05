import { z } from 'zod';
import { answerWith } from '../../schemas/answer-with.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

/** The path parameters of one webhook. */
export const webhookParamsSchema = workspaceParamsSchema.extend({
  hook_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('webhook_not_found')),
});
