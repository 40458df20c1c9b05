import { createPublicKey, verify } from 'node:crypto';
import type { RawRequest } from '../../core/contract/webhook.ts';

/** What an Ed25519 key begins with in DER. */
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** Older requests may be somebody else's that heard one of Discord's. */
const MAX_AGE_S = 300;

/** Discord signs the time together with the body, byte by byte. */
export function verifySignature(
  { headers, body }: Pick<RawRequest, 'headers' | 'body'>,
  publicKey: string,
  now: Date,
): boolean {
  const { 'x-signature-ed25519': signature = '', 'x-signature-timestamp': timestamp = '' } = headers;
  if (!/^[0-9a-f]{128}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_AGE_S) return false;
  const key = createPublicKey({
    key: Buffer.concat([PREFIX, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}
