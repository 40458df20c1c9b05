import { createHmac } from 'node:crypto';

export interface SignedMessage {
  /** The same for every try of one delivery, so that a receiver knows it again. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The headers that a message is sent with by the Standard Webhooks; `secret` is `whsec_` and Base64. */
export function signWebhook(secret: string, { id, at, body }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` };
}
