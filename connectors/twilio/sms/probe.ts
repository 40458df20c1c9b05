import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Json } from '../../../core/contract/json.ts';
import type { Tools } from '../../../core/contract/tools.ts';
import { callTwilio } from '../call-twilio.ts';
import { probeSender } from '../messaging/probe-sender.ts';
import type { TwilioAccount } from '../twilio-account.ts';

/** The number has to be one of the account, and to take messages. */
export async function probe(account: TwilioAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const profile = await probeSender(account, tools);
  const { from } = account.settings;
  if (from.startsWith('MG')) return profile;
  const twilio = await callTwilio(account, tools);
  const [number] = await twilio.incomingPhoneNumbers.list({
    phoneNumber: from,
    limit: 1,
  });
  if (number === undefined) throw refusal(`${from} is not a number of this Twilio account.`);
  if (number.capabilities?.sms === false) throw refusal(`${from} cannot send messages.`);
  return profile;
}

function refusal(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
