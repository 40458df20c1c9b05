import { z } from 'zod';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { lenient } from '../../shared/lenient.ts';
import type { VoiceAccount } from './manifest.ts';

const count = z.coerce.number().int().min(0).max(100_000).catch(0);

/** What is known of a call at the moment of a request: it stands in the address, which Twilio signs. */
const schema = z.object({
  /** Why Twilio asks; null where a call begins. */
  step: lenient(z.enum(['turn', 'wait', 'dialled', 'relayed'])),
  /** Of the caller's, counted from 1. */
  turn: count,
  /** How often nothing was heard, one time after the other. */
  quiet: count,
  /** How often the answer was not there yet. */
  lap: count,
  /** What the caller was asked, and the word for what he gets if he says yes. */
  asks: lenient(z.enum(['more', 'link', 'else'])),
  what: lenient(z.string().max(200)),
});

export type CallState = z.infer<typeof schema>;

export function readState({ query }: Pick<RawRequest, 'query'>): CallState {
  return schema.parse(query);
}

/** Where Twilio goes on from here: what stays as it was, and is nothing, is left out. */
export function addressFor({ webhookUrl }: VoiceAccount, state: Partial<CallState>): string {
  const told = Object.entries(state).flatMap(([name, value]): [string, string][] =>
    value === null || value === 0 ? [] : [[name, String(value)]],
  );
  return `${(webhookUrl ?? '').replace(/#.*$/s, '')}?${new URLSearchParams(told)}`;
}
