import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import { lenient } from '../../shared/lenient.ts';
import { callFields } from './call-fields.ts';

/** What is stored of a request about a call: Twilio's own fields, beside what was being asked when it came. */
const schema = callFields.extend({
  /** What the caller did; absent where his words tell it. */
  does: lenient(z.enum(['asks', 'wants-person', 'wants', 'ends'])),
  turn: lenient(z.coerce.number()),
  what: lenient(z.string()),
});

export type NativeCall = z.infer<typeof schema>;

export function readNative(native: Json): NativeCall | null {
  return schema.safeParse(native).data ?? null;
}
