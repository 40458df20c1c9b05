import type { ConversationRef, Tools } from '../../../core/contract/account.ts';
import type { OutboundPart, Receipt } from '../../../core/contract/outbound.ts';
import { callTwilio } from '../call-twilio.ts';
import type { TwilioAccount } from '../twilio-account.ts';
import { addressOf } from './address.ts';
import { type Part, partOf } from './part.ts';

/** From the number that was written to, also where that is one of several of a messaging service. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: TwilioAccount,
  tools: Tools,
): Promise<Receipt> {
  const { visitor, number } = addressOf(to);
  const { settings, webhookUrl } = account;
  const twilio = await callTwilio(account, tools);
  const { sid } = await twilio.messages.create({
    to: visitor,
    from: number,
    ...(settings.from.startsWith('MG') && { messagingServiceSid: settings.from }),
    ...(webhookUrl !== null && { statusCallback: webhookUrl }),
    ...contentOf(partOf(part)),
  });
  return { messageId: sid };
}

function contentOf(part: Part) {
  if ('body' in part) return { body: part.body };
  return { contentSid: part.contentSid, contentVariables: JSON.stringify(part.variables) };
}
