import { z } from 'zod';
import type { ConversationRef, Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutcomePoll, SoughtPart } from '../../../core/contract/facets.ts';
import type { OutboundPart, Receipt } from '../../../core/contract/outbound.ts';
import type { TwilioAccount } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';
import { parseAddress } from './identifiers.ts';
import { parseDeliveryReport } from './normalise.ts';

/** Sends from the number that the visitor wrote to, also if that is one of several in a messaging service. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: TwilioAccount,
  tools: Tools,
): Promise<Receipt> {
  const { visitor, number } = parseAddress(to);
  const { settings, webhookUrl } = account;
  const twilio = await createTwilioClient(account, tools);
  const { sid } = await twilio.messages.create({
    to: visitor,
    from: number,
    ...(settings.from.startsWith('MG') && { messagingServiceSid: settings.from }),
    ...(webhookUrl !== null && { statusCallback: webhookUrl }),
    ...messageContent(parsePart(part)),
  });
  return { messageId: sid };
}

function messageContent(part: Part) {
  if ('body' in part) {
    const { body, mediaUrl } = part;
    return { body, ...(mediaUrl !== undefined && { mediaUrl: [mediaUrl] }) };
  }
  return { contentSid: part.contentSid, contentVariables: JSON.stringify(part.variables) };
}

const schema = z.union([
  /** A part with a link to a file, which Twilio fetches. */
  z.object({ body: z.string(), mediaUrl: z.string().exactOptional() }),
  /** A template stored at Twilio, with its variables. */
  z.object({ contentSid: z.string(), variables: z.record(z.string(), z.string()) }),
]);

type Part = z.infer<typeof schema>;

export function parsePart({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('The part is not a Twilio message.', { advice: { retry: 'never' } });
}

/** More messages than one visitor receives in the searched time. */
const MAX_LISTED = 50;

/** Matches by text, because Twilio stores no id of ours. The text of a rendered template is unknown. */
export async function findSent(
  { part, to, since }: SoughtPart,
  account: TwilioAccount,
  tools: Tools,
): Promise<readonly Receipt[]> {
  const content = parsePart(part);
  if (!('body' in content)) return [];
  const { visitor, number } = parseAddress(to);
  const twilio = await createTwilioClient(account, tools);
  const messages = await twilio.messages.list({
    to: visitor,
    from: number,
    limit: MAX_LISTED,
    pageSize: MAX_LISTED,
  });
  return messages
    .filter(({ body, dateCreated }) => body.trim() === content.body.trim() && dateCreated >= since)
    .toReversed()
    .map(({ sid }) => ({ messageId: sid }));
}

/** The time after which Twilio advises to poll for a missing report. */
const AFTER_MS = 12 * 3_600_000;

export const createOutcome = (account: TwilioAccount): OutcomePoll => ({
  afterMs: AFTER_MS,

  async ask(messageId, tools) {
    const twilio = await createTwilioClient(account, tools);
    const { status, errorCode, errorMessage } = await twilio.messages(messageId).fetch();
    const fields = {
      MessageSid: messageId,
      ErrorCode: errorCode == null ? null : String(errorCode),
      ErrorMessage: errorMessage ?? null,
    };
    const event = parseDeliveryReport(fields, status);
    return event.type === 'delivery-reported' ? event : null;
  },
});
