import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Older deliveries are refused, so that nobody can send a recorded one again. */
const TOLERANCE_SECONDS = 300;

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  /** Exactly as it arrived: a parsed and written body has another signature. */
  readonly rawBody: string;
  readonly now: Date;
}

/** Tells whether a webhook or a call of a skill is from Parley. `secret` is the one that was shown once, `whsec_…`. */
export function isFromParley(secret: string, { headers, rawBody, now }: Delivery): boolean {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (!(Math.abs(age) < TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${rawBody}`).digest();
  // While a secret is rotated, the header has one signature for each.
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .some((signature) => {
      const given = Buffer.from(signature.replace('v1,', ''), 'base64');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}
