import { createHmac } from 'node:crypto';
import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { isSameSecret } from '../shared/http.ts';
import { parseJson } from '../shared/payload.ts';
import { toDeliveries } from './deliveries.ts';
import type { IntercomAccount } from './manifest.ts';
import { notificationTopic } from './payloads.ts';

/** Whatever was signed is answered so: too many other answers make Intercom stop, and 410 at once. */
const respond: HttpAnswer = { status: 200 };

export const webhook: WebhookIntake<IntercomAccount['credentials'], IntercomAccount['settings']> = {
  /** Intercom asks for the head of an address, unsigned, before it takes it. */
  greet: ({ method }) => (method === 'HEAD' ? respond : null),

  verify({ headers, body }, { credentials }) {
    const { client_secret } = credentials;
    return client_secret !== '' && isSameSecret(headers['x-hub-signature'], signBody(body, client_secret));
  },

  read({ body }, account) {
    const native = parseJson(body);
    const topic = native === undefined ? null : notificationTopic(native);
    if (native === undefined) return { kind: 'ignored', because: 'the body is not JSON', respond };
    if (topic === 'ping') return { kind: 'handshake', respond };
    const deliveries = toDeliveries(native, account);
    if (deliveries.length > 0) return { kind: 'deliveries', deliveries, respond };
    const because = topic === null ? 'the body is no notification' : `nothing to do for ${topic}`;
    return { kind: 'ignored', because, respond };
  },
};

/** What Intercom puts into `X-Hub-Signature` of a body. */
function signBody(body: Uint8Array, clientSecret: string): string {
  return `sha1=${createHmac('sha1', clientSecret).update(body).digest('hex')}`;
}
