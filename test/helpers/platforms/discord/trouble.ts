import { RefusedDiscordCall, refused } from './refused-call.ts';

/** The fault of the next call that matches a pattern. */
export type DiscordTrouble =
  | { readonly kind: 'limited'; readonly retryAfter: number; readonly global?: boolean }
  | { readonly kind: 'refused'; readonly status: number; readonly code: number; readonly message: string }
  | { readonly kind: 'garbled' | 'silent' }
  /** A proxy answers in its place. */
  | { readonly kind: 'intercepted' }
  /** The connection ends before, or after, the request was carried out. */
  | { readonly kind: 'cut-before' | 'cut-after' };

export function refusalFor(trouble: DiscordTrouble): RefusedDiscordCall | null {
  if (trouble.kind === 'refused') return refused(trouble.status, trouble.code, trouble.message);
  if (trouble.kind !== 'limited') return null;
  const { retryAfter, global = false } = trouble;
  const body = { message: 'You are being rate limited.', retry_after: retryAfter, global };
  return new RefusedDiscordCall(429, body, {
    'retry-after': String(Math.ceil(retryAfter)),
    ...(global && { 'x-ratelimit-global': 'true' }),
  });
}
