import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { HttpAnswer, RawRequest, WebhookIntake } from '../../core/contract/webhook.ts';
import { parseJson } from '../shared/http.ts';
import { toDelivery } from './deliveries.ts';
import { interactionResponse } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';

const PING = 1;
const PONG = { type: 1 };

const pingSchema = z.object({ type: z.literal(PING) });

export const createWebhook = (account: DiscordAccount): WebhookIntake => ({
  verify: (request, now) => verifySignature(request, account.credentials.public_key, now),

  read({ body }) {
    const native = parseJson(body);
    if (native === undefined)
      return { kind: 'ignored', because: 'the body is not JSON', respond: jsonResponse({}) };
    if (pingSchema.safeParse(native).success) return { kind: 'handshake', respond: jsonResponse(PONG) };
    const delivery = toDelivery(native, account, new Map());
    const acknowledgement = interactionResponse(native, account);
    if (delivery === null || acknowledgement === null) {
      return {
        kind: 'ignored',
        because: 'the body is not a command or button of this connector',
        respond: jsonResponse({}),
      };
    }
    return { kind: 'deliveries', deliveries: [delivery], respond: jsonResponse(acknowledgement) };
  },
});

function jsonResponse(body: object): HttpAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body) };
}

/** The DER prefix of an Ed25519 public key. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** Older requests are refused because they may be recorded and replayed. */
const MAX_AGE_S = 300;

/** Verifies the Ed25519 signature of the timestamp followed by the raw body. */
function verifySignature(
  { headers, body }: Pick<RawRequest, 'headers' | 'body'>,
  publicKey: string,
  now: Date,
): boolean {
  const { 'x-signature-ed25519': signature = '', 'x-signature-timestamp': timestamp = '' } = headers;
  if (!/^[0-9a-f]{128}$/i.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_AGE_S) return false;
  const key = createPublicKey({
    key: Buffer.concat([DER_PREFIX, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}
