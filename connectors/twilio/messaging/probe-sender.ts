import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Json } from '../../../core/contract/json.ts';
import type { Tools } from '../../../core/contract/tools.ts';
import { callTwilio } from '../call-twilio.ts';
import type { TwilioAccount } from '../twilio-account.ts';

/** Who the account is, and which messaging service sends where that is one. Throws where either is not to be used. */
export async function probeSender(
  account: TwilioAccount,
  tools: Tools,
): Promise<Readonly<Record<string, Json>>> {
  const { credentials, settings } = account;
  const client = await callTwilio(account, tools);
  const { friendlyName, status } = await client.api.v2010.accounts(credentials.account_sid).fetch();
  if (status !== 'active') {
    throw new ConnectorError(`The Twilio account is ${status}.`, {
      advice: { retry: 'never' },
      account: true,
    });
  }
  if (!settings.from.startsWith('MG')) return { account: friendlyName, number: settings.from };
  const service = await client.messaging.v1.services(settings.from).fetch();
  return { account: friendlyName, service: service.friendlyName };
}
