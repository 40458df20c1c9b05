import type { ConversationRef, Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Budget, OutboundPart, Receipt } from '../../../core/contract/outbound.ts';
import { createTwilioClient } from '../api-client.ts';
import { parseAddress } from './identifiers.ts';
import type { VoiceAccount } from './manifest.ts';
import { parsePart } from './render.ts';

/** The rate of a plain long code. Speech has no limit. */
const MESSAGES: Budget = { key: 'messages', everyMs: 1_000, burst: 3 };

export function budgets(): readonly Budget[] {
  return [MESSAGES];
}

/** Sends the caller the message that they agreed to. Speech is fetched by Twilio, and never sent. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: VoiceAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  const { caller } = parseAddress(to);
  if (content.kind !== 'message' || caller === null)
    throw new ConnectorError('Only a text message to a known number can be sent for a call.', {
      advice: { retry: 'never' },
    });
  const { from } = account.settings;
  const sender = from.startsWith('MG') ? { messagingServiceSid: from } : { from };
  const twilio = await createTwilioClient(account, tools);
  const sent = await twilio.messages.create({
    ...sender,
    to: caller,
    body: content.text,
  });
  return { messageId: sent.sid };
}
