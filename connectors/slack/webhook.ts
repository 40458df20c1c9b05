import { isValidSlackRequest } from '@slack/bolt/dist/receivers/verify-request.js';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { HttpAnswer, WebhookIntake, WebhookReading } from '../../core/contract/webhook.ts';
import { mayBelongToOthers } from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';
import { parseEvent } from './normalise.ts';
import { nativeTypeName, parsePayload } from './payloads.ts';

/** An account without a signing secret cannot tell what Slack posts from what others do. */
export function intakeMode({ settings, credentials }: SlackAccount): 'webhook' | 'listener' {
  const isSocket =
    settings.mode === undefined ? credentials.signing_secret === undefined : settings.mode === 'socket';
  return isSocket ? 'listener' : 'webhook';
}

type SlackWebhook = WebhookIntake<SlackAccount['credentials'], SlackAccount['settings']>;

/** An empty body: what people press is not answered in its place. */
const respond: HttpAnswer = { status: 200 };
const WINDOW_MS = 300_000;

const handshake = z.object({ type: z.literal('url_verification'), challenge: z.string() });
const parseBody = z.object({ type: z.literal('app_rate_limited') });
const certificate = z.strictObject({ ssl_check: z.literal('1'), token: z.string().optional() });

export const webhook: SlackWebhook = {
  verify(request, { credentials }, now) {
    const { headers, body } = request;
    // Slack does not sign this, and nothing comes of it.
    if (isCertificateCheck(parsePayload(request))) return true;
    const signature = headers['x-slack-signature'];
    const timestamp = Number(headers['x-slack-request-timestamp']);
    if (signature === undefined || credentials.signing_secret === undefined) return false;
    // The SDK refuses what is old; what is from the future could be kept and sent again.
    if (!(Math.abs(now.getTime() - timestamp * 1_000) <= WINDOW_MS)) return false;
    return isValidSlackRequest({
      signingSecret: credentials.signing_secret,
      body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp },
      nowMilliseconds: now.getTime(),
    });
  },

  read(request, account) {
    const payload = parsePayload(request);
    if (payload === undefined) return ignored('the body is not understood');
    const { data: challenged } = handshake.safeParse(payload);
    if (challenged !== undefined) {
      return {
        kind: 'handshake',
        respond: { ...respond, contentType: 'text/plain', body: challenged.challenge },
      };
    }
    if (parseBody.safeParse(payload).success) return ignored('Slack holds events back: there are too many');
    if (isCertificateCheck(payload)) return ignored('Slack checks our certificate');
    const read = toDelivery(payload, account);
    if ('because' in read) return ignored(read.because);
    return { kind: 'deliveries', deliveries: [read.delivery], respond };
  },
};

function ignored(because: string): WebhookReading {
  return { kind: 'ignored', because, respond };
}

function isCertificateCheck(payload: unknown): boolean {
  return certificate.safeParse(payload).success;
}

/** Slack does not keep to an order, and tells at once again what it could not tell. */
const SETTLE_MS = 2_000;

/** What is stored of a payload, or why nothing is. */
export function toDelivery(
  native: Json,
  account: SlackAccount,
): { readonly delivery: Delivery } | { readonly because: string } {
  const happening = parseEvent(native, account);
  if (happening === null) return { because: `nothing is done about ${nativeTypeName(native)}` };
  const { id, tenant, event, passedOver } = happening;
  if (passedOver !== null) return { because: `${nativeTypeName(native)}: ${passedOver}` };
  const lane = 'conversation' in event ? event.conversation.lane : `${tenant}/account`;
  // A follow-up that comes before its mention would pass for the talk of others.
  const mayBeEarly = event.type === 'message' && event.addressed === 'joined';
  return {
    delivery: {
      id,
      lane,
      native,
      ...(mayBelongToOthers(tenant, account) && { tenant }),
      ...(mayBeEarly && { settleIfFirstMs: SETTLE_MS }),
    },
  };
}
