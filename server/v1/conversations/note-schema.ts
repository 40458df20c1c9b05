import { z } from 'zod';

/** A remark for agents, never shown to a visitor. */
export const noteSchema = z
  .object({
    id: z.string(),
    conversation_id: z.string(),
    content: z.string(),
    author: z.string().meta({ description: "The API key's name, or the address given as author_email." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Note' });
