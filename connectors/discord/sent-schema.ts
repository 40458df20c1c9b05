import { z } from 'zod';

/** Of a message that was sent. */
export const sentSchema = z.object({ id: z.string(), channel_id: z.string() });
