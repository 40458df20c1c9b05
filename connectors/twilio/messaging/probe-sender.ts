import type { Json, Tools } from '../../../core/contract/account.ts';
import { expectPlatform } from '../../shared/expect-platform.ts';
import { callTwilio } from '../call-twilio.ts';
import { requireActive } from '../require-active.ts';
import type { TwilioAccount } from '../twilio-account.ts';

/** Who the account is, and which messaging service sends where that is one. Throws where either is not to be used. */
export function probeSender(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Twilio', account, () => senderOf(account, tools));
}

async function senderOf(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const { settings } = account;
  const client = await callTwilio(account, tools);
  const name = await requireActive(client, account);
  if (!settings.from.startsWith('MG')) return { account: name, number: settings.from };
  const service = await client.messaging.v1.services(settings.from).fetch();
  return { account: name, service: service.friendlyName };
}
