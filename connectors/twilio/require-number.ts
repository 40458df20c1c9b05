import type { Twilio } from 'twilio';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { TwilioAccount } from './twilio-account.ts';

const can = { sms: 'send messages', voice: 'take calls' } as const;

/** Throws where the number of the settings is none of the account, or cannot do that. Of a messaging service nothing is asked. */
export async function requireNumber(
  twilio: Twilio,
  { settings: { from } }: Pick<TwilioAccount, 'settings'>,
  capability: keyof typeof can,
): Promise<void> {
  if (!from.startsWith('+')) return;
  const [number] = await twilio.incomingPhoneNumbers.list({ phoneNumber: from, limit: 1 });
  if (number === undefined) throw refusal(`${from} is not a number of this Twilio account.`);
  if (number.capabilities?.[capability] === false) throw refusal(`${from} cannot ${can[capability]}.`);
}

function refusal(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
