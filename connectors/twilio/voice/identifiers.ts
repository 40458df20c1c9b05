import { z } from 'zod';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';

const address = z.object({
  call: z.string(),
  /** The caller's number; null if it is withheld. */
  caller: z.string().nullable(),
});

type CallAddress = z.infer<typeof address>;

/** Parses a number such as `+15550002222`. Twilio reports withheld numbers as one of a few fixed numbers. */
function parseCallerNumber(text: string | null): string | null {
  return text !== null && /^\+[1-9]\d{6,14}$/.test(text) && !anonymous.has(text) ? text : null;
}

const anonymous = new Set(['+266696687', '+7378742833', '+2562533', '+8566696', '+86282452253']);

interface CallParties {
  readonly CallSid: string;
  readonly From: string | null;
  readonly To: string | null;
}

/** Returns the conversation of a call: a pair of numbers, or a single call if the caller withholds their number. */
export function callConversation({
  CallSid,
  From,
  To,
}: CallParties): ConversationRef & { readonly address: CallAddress } {
  const caller = parseCallerNumber(From);
  const lane = caller === null ? CallSid : `${caller}/${To ?? ''}`;
  return { lane, address: { call: CallSid, caller } };
}

export function parseAddress(to: ConversationRef): CallAddress {
  const read = address.safeParse(to.address);
  if (read.success) return read.data;
  throw new ConnectorError('The address is not a call.', { advice: { retry: 'never' } });
}
