import { z } from 'zod';

/** What a person said in a conversation. */
export const replySchema = z
  .object({
    id: z.string(),
    role: z.literal('agent'),
    content: z.string(),
    author: z.string(),
    created_at: z.iso.datetime(),
    delivery: z.enum(['queued', 'stored']).meta({
      description: 'queued: it is on its way to the channel. stored: the conversation has no channel.',
    }),
  })
  .meta({ id: 'AgentReply' });
