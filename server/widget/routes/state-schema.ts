import { z } from 'zod';

/** How things stand between a visitor and us. */
export const visitorStateSchema = z.object({
  status: z.enum(['open', 'waiting', 'person', 'closed']).meta({
    description: 'waiting: a person was asked for. person: one has the conversation.',
  }),
  agent: z.string().nullable().meta({ description: 'The name of that person.' }),
  unread: z.int().meta({ description: 'What people said and the visitor has not seen.' }),
  answering: z.boolean().meta({ description: 'Whether a question of his is being answered.' }),
});
