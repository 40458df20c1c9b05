import { z } from 'zod';
import { deliveryStatuses } from '../../../core/webhooks/delivery-record.ts';

/** One event on its way to one webhook. */
export const deliverySchema = z
  .object({
    id: z.string().meta({ description: 'Also its webhook-id, the same on every try.' }),
    webhook_id: z.string(),
    event: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_at: z.iso.datetime().nullable(),
    last_status: z.int().nullable().meta({ description: 'What the receiver answered last.' }),
    last_error: z.string().nullable(),
    created_at: z.iso.datetime(),
    delivered_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' });
