import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { optionalField } from '../../shared/http.ts';
import { parseForm } from '../signature.ts';

/** The fields that we use of Twilio's call webhooks. */
const callFieldsSchema = z.object({
  CallSid: z.string().regex(/^CA\w{1,64}$/),
  AccountSid: optionalField(z.string()),
  From: optionalField(z.string()),
  To: optionalField(z.string()),
  Direction: optionalField(z.string()),
  CallStatus: optionalField(z.string()),
  CallerName: optionalField(z.string()),
  StirVerstat: optionalField(z.string()),
  SpeechResult: optionalField(z.string()),
  Confidence: optionalField(z.string()),
  Digits: optionalField(z.string()),
  DialCallStatus: optionalField(z.string()),
  SessionId: optionalField(z.string()),
  SessionStatus: optionalField(z.string()),
  HandoffData: optionalField(z.string()),
});

export type CallFields = z.infer<typeof callFieldsSchema>;

/** Parses the fields of a call; returns null if the request is not about a call. */
export function parseCall(request: RawRequest): CallFields | null {
  const form = parseForm(request) ?? new URLSearchParams();
  const { data } = callFieldsSchema.safeParse({ ...request.query, ...Object.fromEntries(form) });
  return data ?? null;
}

/** A stored request: Twilio's fields and what the caller was asked. */
const nativeCallSchema = callFieldsSchema.extend({
  /** The caller's action; null if their words express it. */
  does: optionalField(z.enum(['asks', 'wants-person', 'wants', 'ends'])),
  turn: optionalField(z.coerce.number()),
  what: optionalField(z.string()),
});

export type NativeCall = z.infer<typeof nativeCallSchema>;

export function parseNativeCall(native: Json): NativeCall | null {
  return nativeCallSchema.safeParse(native).data ?? null;
}
