import type { Twilio } from 'twilio';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { TwilioAccount } from './twilio-account.ts';

/** The name of the account at Twilio. Throws where it is not to be used. */
export async function requireActive(
  twilio: Twilio,
  { credentials }: Pick<TwilioAccount, 'credentials'>,
): Promise<string> {
  const { friendlyName, status } = await twilio.api.v2010.accounts(credentials.account_sid).fetch();
  if (status === 'active') return friendlyName;
  if (status === undefined) {
    throw new ConnectorError("Twilio's answer is not understood.", {
      advice: { retry: 'backoff' },
      foreign: true,
    });
  }
  throw new ConnectorError(`The Twilio account is ${status}.`, { advice: { retry: 'never' }, account: true });
}
