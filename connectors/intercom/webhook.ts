import { createHmac } from 'node:crypto';
import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { isSameSecret, parseJson } from '../shared/http.ts';
import { toDeliveries } from './deliveries.ts';
import type { IntercomAccount } from './manifest.ts';
import { notificationTopic } from './payloads.ts';

/** The response to every signed request. Too many errors make Intercom stop sending, and 410 does so at once. */
const respond: HttpAnswer = { status: 200 };

export const createWebhook = (account: IntercomAccount): WebhookIntake => ({
  /** Intercom sends an unsigned HEAD request before it accepts an endpoint. */
  greet: ({ method }) => (method === 'HEAD' ? respond : null),

  verify({ headers, body }) {
    const { client_secret } = account.credentials;
    return client_secret !== '' && isSameSecret(headers['x-hub-signature'], signBody(body, client_secret));
  },

  read({ body }) {
    const native = parseJson(body);
    const topic = native === undefined ? null : notificationTopic(native);
    if (native === undefined) return { kind: 'ignored', because: 'the body is not JSON', respond };
    if (topic === 'ping') return { kind: 'handshake', respond };
    const deliveries = toDeliveries(native, account);
    if (deliveries.length > 0) return { kind: 'deliveries', deliveries, respond };
    const because = topic === null ? 'the body is not a notification' : `unsupported topic ${topic}`;
    return { kind: 'ignored', because, respond };
  },
});

/** Returns the value of `X-Hub-Signature` for a body. */
function signBody(body: Uint8Array, clientSecret: string): string {
  return `sha1=${createHmac('sha1', clientSecret).update(body).digest('hex')}`;
}
