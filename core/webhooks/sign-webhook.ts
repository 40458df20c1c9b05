import { createHmac, randomBytes } from 'node:crypto';

interface SignedMessage {
  /** The same for every attempt of a delivery, so that the endpoint can detect duplicates. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Generates a secret in the format of Standard Webhooks: `whsec_` and Base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/**
 * Returns the headers of a message as defined by Standard Webhooks, with one signature per secret in the given
 * order.
 */
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
