import { z } from 'zod';
import { answerWith } from '../../schemas/answer-with.ts';

/** The path parameters of one conversation. */
export const conversationParamsSchema = z.object({
  conversation_id: z.string().refine((id) => /^\w+$/.test(id), answerWith('conversation_not_found')),
});
