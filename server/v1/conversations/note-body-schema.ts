import { z } from 'zod';
import { emailSchema } from '../../schemas/email-schema.ts';

/** A note to be added. */
export const noteBodySchema = z.object({
  content: z.string().trim().min(1),
  author_email: emailSchema
    .nullish()
    .meta({ description: "The agent who acts, in place of the API key's name." }),
});
