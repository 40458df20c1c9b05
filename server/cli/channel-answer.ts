import { z } from 'zod';

/** What the command line reads of a channel; the rest is passed on. */
export const channelAnswer = z.looseObject({
  id: z.string(),
  channel: z.string(),
  name: z.string(),
  status: z.string(),
  last_error: z.string().nullable(),
  heard_at: z.string().nullable(),
  enabled: z.boolean(),
  webhook_url: z.string().nullable(),
  parent: z.string().nullable(),
  tenant: z.string().nullable(),
});
