import { createHmac, randomBytes } from 'node:crypto';

interface SignedMessage {
  /** The same for every try of one delivery, so that a receiver knows it again. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** A secret as the Standard Webhooks write it: `whsec_` and Base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** The headers that a message is sent with by the Standard Webhooks: one signature for each secret, in their order. */
export function signWebhook(
  secrets: readonly string[],
  { id, at, body }: SignedMessage,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
