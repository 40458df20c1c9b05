import { z } from 'zod';

/** An API key as the operator sees it: without its value. */
export const keySchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    ending: z.string().meta({ description: 'The last four characters of the key.' }),
    rate_limit_minute: z.int(),
    rate_limit_day: z.int(),
    expires_at: z.iso.datetime().nullable(),
    previous_valid_until: z.iso.datetime().nullable().meta({
      description: 'Until when the former value works after a rotation; null where only one works.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Key' });
