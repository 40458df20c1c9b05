import twilio from 'twilio';
import type { Tools } from '../../core/contract/tools.ts';
import { FetchingClient } from './fetching-client.ts';
import type { TwilioAccount } from './twilio-account.ts';

/**
 * Twilio's own library for this account. Its calls go where the settings say, and throw ConnectorErrors; where the
 * process runs has no say in it.
 */
export function callTwilio(
  account: TwilioAccount,
  tools: Pick<Tools, 'fetch' | 'signal' | 'now'>,
): twilio.Twilio {
  const { account_sid, auth_token } = account.credentials;
  return twilio(account_sid, auth_token, {
    httpClient: new FetchingClient(account, tools),
    edge: '',
    region: '',
  });
}
