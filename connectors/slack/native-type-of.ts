import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';

const payload = z.object({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  event: z
    .object({ type: z.string(), subtype: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** For the log: `pin_added`, `message.channel_join`, `view_submission`, `/command`. */
export function nativeTypeOf(native: Json): string {
  const { type, command, event } = payload.safeParse(native).data ?? {};
  if (event !== undefined) return [event.type, event.subtype].filter(Boolean).join('.');
  return type || command || 'nothing';
}
