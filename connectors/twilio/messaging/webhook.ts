import type { HttpAnswer, WebhookIntake, WebhookReading } from '../../../core/contract/webhook.ts';
import type { TwilioAccount } from '../account.ts';
import { parseForm, verifySignature } from '../signature.ts';
import { laneKey } from './identifiers.ts';
import type { Medium } from './medium.ts';
import { type MessageFields, messageFieldsSchema } from './payloads.ts';

/** Empty TwiML: any text in the response would be sent to the visitor. */
const respond: HttpAnswer = { status: 200, contentType: 'text/xml; charset=utf-8', body: '<Response/>' };
/** A report may arrive before we have stored the SID of its message. */
const REPORT_MS = 1_500;

/** Creates the webhook for messages of visitors and delivery reports. */
export function createMessageWebhook(account: TwilioAccount, medium: Pick<Medium, 'prefix'>): WebhookIntake {
  return {
    verify: (request) => verifySignature(request, account),

    read(request) {
      const form = Object.fromEntries(parseForm(request) ?? []);
      const read = messageFieldsSchema.safeParse(form);
      if (!read.success) return ignored('the body is not a message');
      const because = reasonToIgnore(read.data, account, medium);
      if (because !== null) return ignored(because);
      return { kind: 'deliveries', deliveries: [toDelivery(read.data, form)], respond };
    },
  };
}

function ignored(because: string): WebhookReading {
  return { kind: 'ignored', because, respond };
}

/** Returns why a webhook is not for this account, or null. A report contains our number as its sender only. */
function reasonToIgnore(
  fields: MessageFields,
  account: TwilioAccount,
  { prefix }: Pick<Medium, 'prefix'>,
): string | null {
  const { AccountSid, MessagingServiceSid, To, From, MessageStatus } = fields;
  const { credentials, settings } = account;
  if (AccountSid !== credentials.account_sid) return `the message belongs to the account ${AccountSid}`;
  if (!hasPrefix(From, prefix) || !hasPrefix(To, prefix)) return 'the message is of another channel type';
  if (MessageStatus !== null || MessagingServiceSid === settings.from) return null;
  return To === `${prefix}${settings.from}`
    ? null
    : `the message is to ${To}, which is not the number of this channel`;
}

function hasPrefix(address: string, prefix: Medium['prefix']): boolean {
  return prefix === '' ? !address.includes(':') : address.startsWith(prefix);
}

/** Reports have a separate lane, so that no visitor waits for them and they wait for no answer. */
function toDelivery({ MessageSid, MessageStatus, From, To }: MessageFields, native: Record<string, string>) {
  if (MessageStatus === null) return { id: MessageSid, lane: laneKey({ visitor: From, number: To }), native };
  const lane = `${laneKey({ visitor: To, number: From })}/reports`;
  return { id: `${MessageSid}:${MessageStatus}`, lane, native, settleMs: REPORT_MS };
}
