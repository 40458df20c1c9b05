import { z } from 'zod';
import { answerWith } from '../../schemas/answer-with.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';

/** The path parameters of one channel. */
export const channelParamsSchema = workspaceParamsSchema.extend({
  chan_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('channel_not_found')),
});
