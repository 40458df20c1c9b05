import { z } from 'zod';

/** A webhook as the operator sees it: without its secret. */
export const webhookSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    disabled_at: z.iso.datetime().nullable(),
    disabled_reason: z.string().nullable().meta({ description: 'Why nothing is sent to it any more.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
