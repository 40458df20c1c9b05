import { z } from 'zod';
import { opinions } from '../../../core/conversations/conversation-values.ts';
import { characters } from '../../schemas/characters.ts';

/** What a visitor thinks of an answer. */
export const feedbackBodySchema = z.object({
  value: z.enum(opinions).nullable().meta({ description: 'Null takes it back, with its comment.' }),
  comment: characters({ max: 4_000 }, z.string().trim()).nullish().meta({
    description:
      'More, in his own words. Where it is left out, what was said of the same value before stays.',
  }),
});
