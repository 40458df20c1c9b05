import { createHmac } from 'node:crypto';

/** What Intercom puts into `X-Hub-Signature` of a body. */
export function signatureOf(body: Uint8Array, clientSecret: string): string {
  return `sha1=${createHmac('sha1', clientSecret).update(body).digest('hex')}`;
}
