import { z } from 'zod';

/** The path parameters of a queue that keeps what it gave up. */
export const queueParamsSchema = z.object({
  name: z.string().meta({
    description: 'answer: messages of visitors. deliver: what is sent to them.',
    examples: ['answer', 'deliver'],
  }),
});
