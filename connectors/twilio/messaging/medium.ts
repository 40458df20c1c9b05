import type { Json, Tools } from '../../../core/contract/account.ts';
import type { Command } from '../../../core/contract/inbound.ts';
import type { ReplyLimits } from '../../../core/contract/outbound.ts';
import { expectPlatform } from '../../shared/http.ts';
import { requireActiveAccount, type TwilioAccount } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';

/** The differences between SMS and WhatsApp at Twilio. */
export interface Medium {
  /** Prefix of numbers. */
  readonly prefix: '' | 'whatsapp:';
  /** The meanings of keywords, in capital letters, that are a whole message. */
  readonly words: Readonly<Record<string, Keyword>>;
}

/** A command, an opt-out, or a keyword that Twilio answers itself. */
export type Keyword = Command | 'opt-out' | 'left-to-twilio';

/**
 * Limits by the signed sender, because all webhooks come from the same addresses. More than a person reads. A message
 * above the limit is stored but not answered: Twilio would not send a refused webhook again, and each answer costs
 * money.
 */
export const replyLimits: ReplyLimits = {
  perConversation: { count: 20, withinMs: 10 * 60_000 },
  perSender: { count: 100, withinMs: 24 * 3_600_000 },
};

/** Returns the name of the account, and of the messaging service if one is used. Throws if either cannot be used. */
export function probeSender(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => senderOf(account, tools));
}

async function senderOf(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const { settings } = account;
  const client = await createTwilioClient(account, tools);
  const name = await requireActiveAccount(client, account);
  if (!settings.from.startsWith('MG')) return { account: name, number: settings.from };
  const service = await client.messaging.v1.services(settings.from).fetch();
  return { account: name, service: service.friendlyName };
}
