import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';

const schema = z.object({ topic: z.string().min(1) });

/** What a notification is about; null for what is none. */
export function topicOf(native: Json): string | null {
  return schema.safeParse(native).data?.topic ?? null;
}
