import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Json } from '../../../core/contract/json.ts';
import type { Tools } from '../../../core/contract/tools.ts';
import { callTwilio } from '../call-twilio.ts';
import type { VoiceAccount } from './manifest.ts';

/** Whose account it is, and whether the number is one of it that takes calls. */
export async function probe(account: VoiceAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const twilio = await callTwilio(account, tools);
  const { from } = account.settings;
  const { friendlyName, status } = await twilio.api.v2010.accounts(account.credentials.account_sid).fetch();
  const profile = { account: friendlyName, status, number: from };
  if (!from.startsWith('+')) return profile;
  const [number] = await twilio.incomingPhoneNumbers.list({ phoneNumber: from, limit: 1 });
  if (number !== undefined && number.capabilities?.voice !== false) return profile;
  throw new ConnectorError(`${from} is no number of this Twilio account that takes calls.`, {
    advice: { retry: 'never' },
  });
}
