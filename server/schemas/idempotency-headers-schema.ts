import { z } from 'zod';

/** What an idempotent route takes in its headers; the others pass. */
export const idempotencyHeadersSchema = z.looseObject({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'Names this request for 24 hours: sent again under the same key, it gets the same answer and counts once.',
  }),
});
