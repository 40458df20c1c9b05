import { isValidSlackRequest } from '@slack/bolt/dist/receivers/verify-request.js';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { HttpAnswer, WebhookIntake, WebhookReading } from '../../core/contract/webhook.ts';
import { mayBelongToOthers } from './identifiers.ts';
import type { SlackAccount } from './manifest.ts';
import { parseEvent } from './normalise.ts';
import { nativeTypeName, parsePayload } from './payloads.ts';

/** Returns how events arrive. Webhooks need a signing secret; without one socket mode is the default. */
export function intakeMode({ settings, credentials }: SlackAccount): 'webhook' | 'listener' {
  const isSocket =
    settings.mode === undefined ? credentials.signing_secret === undefined : settings.mode === 'socket';
  return isSocket ? 'listener' : 'webhook';
}

/** The body is empty: a response with content would replace the message whose button was pressed. */
const respond: HttpAnswer = { status: 200 };
const WINDOW_MS = 300_000;

const handshake = z.object({ type: z.literal('url_verification'), challenge: z.string() });
const rateLimitNotice = z.object({ type: z.literal('app_rate_limited') });
const certificateCheck = z.strictObject({ ssl_check: z.literal('1'), token: z.string().optional() });

export const createWebhook = (account: SlackAccount): WebhookIntake => ({
  verify(request, now) {
    const { credentials } = account;
    const { headers, body } = request;
    // Slack does not sign this request, and it has no effect.
    if (isCertificateCheck(parsePayload(request))) return true;
    const signature = headers['x-slack-signature'];
    const timestamp = Number(headers['x-slack-request-timestamp']);
    if (signature === undefined || credentials.signing_secret === undefined) return false;
    // The SDK refuses old timestamps only. A request with a future timestamp could be recorded and replayed later.
    if (!(Math.abs(now.getTime() - timestamp * 1_000) <= WINDOW_MS)) return false;
    return isValidSlackRequest({
      signingSecret: credentials.signing_secret,
      body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp },
      nowMilliseconds: now.getTime(),
    });
  },

  read(request) {
    const payload = parsePayload(request);
    if (payload === undefined) return ignored('the body cannot be parsed');
    const { data: challenged } = handshake.safeParse(payload);
    if (challenged !== undefined) {
      return {
        kind: 'handshake',
        respond: { ...respond, contentType: 'text/plain', body: challenged.challenge },
      };
    }
    if (rateLimitNotice.safeParse(payload).success)
      return ignored('Slack withholds events: over 30,000 events an hour');
    if (isCertificateCheck(payload)) return ignored('Slack checks the TLS certificate');
    const parsed = toDelivery(payload, account);
    if ('because' in parsed) return ignored(parsed.because);
    return { kind: 'deliveries', deliveries: [parsed.delivery], respond };
  },
});

function ignored(because: string): WebhookReading {
  return { kind: 'ignored', because, respond };
}

function isCertificateCheck(payload: unknown): boolean {
  return certificateCheck.safeParse(payload).success;
}

/** Slack does not keep the order of events. A failed delivery is repeated at once, so two seconds cover a retry. */
const SETTLE_MS = 2_000;

/** Returns the delivery to store for a payload, or why the payload is ignored. */
export function toDelivery(
  native: Json,
  account: SlackAccount,
): { readonly delivery: Delivery } | { readonly because: string } {
  const parsed = parseEvent(native, account);
  if (parsed === null) return { because: `unsupported type ${nativeTypeName(native)}` };
  const { id, tenant, event, ignoreReason } = parsed;
  if (ignoreReason !== null) return { because: `${nativeTypeName(native)}: ${ignoreReason}` };
  const lane = 'conversation' in event ? event.conversation.lane : `${tenant}/account`;
  // A reply that arrives before its thread's first mention would be taken for a conversation between people.
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
