import { z } from 'zod';

const most = 200;

const item = z
  .looseObject({
    role: z.string().optional(),
    content: z.string().optional(),
    conversation_id: z.string().optional(),
  })
  .refine(({ role, content, conversation_id }) => {
    const isTurn = role !== undefined && content !== undefined;
    return isTurn || conversation_id !== undefined;
  });

/** What was said before, oldest first; an earlier answer's conversation_id may stand among it. */
export const previousResponsesSchema = z
  .array(z.union([item, z.string()]))
  .max(most)
  .meta({
    description:
      'Earlier turns, oldest first. To continue a thread, echo a conversation_id as an item: ' +
      '{"role": "conversation_id", "content": "conv_…"}, an object with the property conversation_id, or the id itself.',
  });

export type PreviousResponse = z.output<typeof previousResponsesSchema>[number];
