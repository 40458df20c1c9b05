import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { lenient } from '../../shared/payload.ts';
import { readForm } from '../signature.ts';

/** What Twilio tells of a call, as far as it means something to us. */
const callFields = z.object({
  CallSid: z.string().regex(/^CA\w{1,64}$/),
  AccountSid: lenient(z.string()),
  From: lenient(z.string()),
  To: lenient(z.string()),
  Direction: lenient(z.string()),
  CallStatus: lenient(z.string()),
  CallerName: lenient(z.string()),
  StirVerstat: lenient(z.string()),
  SpeechResult: lenient(z.string()),
  Confidence: lenient(z.string()),
  Digits: lenient(z.string()),
  DialCallStatus: lenient(z.string()),
  SessionId: lenient(z.string()),
  SessionStatus: lenient(z.string()),
  HandoffData: lenient(z.string()),
});

export type CallFields = z.infer<typeof callFields>;

/** Null for what is no request about a call. */
export function readCall(request: RawRequest): CallFields | null {
  const form = readForm(request) ?? new URLSearchParams();
  const { data } = callFields.safeParse({ ...request.query, ...Object.fromEntries(form) });
  return data ?? null;
}

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
