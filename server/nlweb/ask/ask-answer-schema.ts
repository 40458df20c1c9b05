import { z } from 'zod';

/** The contract's answer: whole, in one response. */
export const askAnswerSchema = z
  .object({
    answer: z.string(),
    answer_type: z.literal('text'),
    sources: z
      .array(
        z.object({
          name: z.string(),
          snippet: z.string(),
          relevance: z.number().meta({ minimum: 0, maximum: 1 }),
        }),
      )
      .max(5),
    conversation_id: z.string(),
  })
  .meta({ id: 'PublicAnswer' });
