import type { Json, Tools } from '../../../core/contract/account.ts';
import type { Command } from '../../../core/contract/inbound.ts';
import type { ReplyLimits } from '../../../core/contract/outbound.ts';
import { expectPlatform } from '../../shared/http.ts';
import { requireActiveAccount, type TwilioAccount } from '../account.ts';
import { createTwilioClient } from '../api-client.ts';

/** What is different about the ways that Twilio sends messages by. */
export interface Medium {
  /** Stands before numbers. */
  readonly prefix: '' | 'whatsapp:';
  /** What words that stand alone, in capital letters, mean there. */
  readonly words: Readonly<Record<string, Keyword>>;
}

/** A command; a wish to hear nothing more; or what Twilio answers itself. */
export type Keyword = Command | 'opt-out' | 'left-to-twilio';

/**
 * More answers than a person reads: by the number that Twilio signs, for its posts all come from the same addresses. What
 * is over it is taken like everything else, for a refused post would not come again, and each answer to it would cost.
 */
export const replyLimits: ReplyLimits = {
  perConversation: { count: 20, withinMs: 10 * 60_000 },
  perSender: { count: 100, withinMs: 24 * 3_600_000 },
};

/** Who the account is, and which messaging service sends where that is one. Throws where either is not to be used. */
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
