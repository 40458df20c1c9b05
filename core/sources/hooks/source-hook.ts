import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Fields } from '../../base/fields.ts';
import type { NamedItem } from '../notices/source-notices.ts';

/** A request that may be one of the tool's webhook. */
export interface HookCall {
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly now: Date;
}

export type HookReading =
  | { readonly kind: 'changed'; readonly items: readonly NamedItem[] }
  /** More has changed than the call names. */
  | { readonly kind: 'everything' }
  | { readonly kind: 'ignored' };

/** The webhook of a tool, as far as it tells which items of a source have changed. */
export interface SourceHook {
  /** Whether the secret is made here, given by a person who copies it from the tool, or sent by the tool in its first call. */
  readonly secretFrom: 'parley' | 'person' | 'tool';
  /** Returns the signature of a call that the tool has sent, by which one that is sent again is known; otherwise null. */
  verify(call: HookCall, secret: string): string | null;
  /** Reads a call that was verified. */
  read(call: HookCall, settings: Fields): HookReading;
  /** Returns the secret of a tool that sends it first. */
  findSecret?(call: HookCall): string | null;
}

/** Calls are remembered for longer, so an older one is new or was sent again. Tools repeat a call for a day at most. */
const OLDEST_MS = 2 * 24 * 3_600_000;

export function isStale(time: Date, now: Date): boolean {
  return !(Math.abs(now.getTime() - time.getTime()) <= OLDEST_MS);
}

export function sign(
  secret: string,
  encoding: 'hex' | 'base64',
  ...parts: readonly (string | Uint8Array)[]
): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** Takes the same time wherever the texts differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function parseBody({ body }: HookCall): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}
