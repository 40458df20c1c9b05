import { z } from 'zod';
import { messageDeliverySchema } from '../../v1/conversations/message-schema.ts';

/** What a person said in a conversation. */
export const replySchema = z
  .object({
    id: z.string(),
    role: z.literal('agent'),
    content: z.string(),
    author: z.string(),
    created_at: z.iso.datetime(),
    delivery: messageDeliverySchema.nullable().meta({
      description: 'Null where the conversation has no channel: the reply is stored and nothing is sent.',
    }),
  })
  .meta({ id: 'AgentReply' });
