import type { Twilio } from 'twilio';
import type { Tools } from '../../core/contract/account.ts';
import type { TwilioAccount } from './account.ts';

/**
 * Twilio's own library for this account. Its calls go where the settings say, and throw ConnectorErrors; where the
 * process runs has no say in it.
 */
export async function createTwilioClient(
  account: TwilioAccount,
  tools: Pick<Tools, 'fetch' | 'signal' | 'now'>,
): Promise<Twilio> {
  // Hundreds of files, which an installation without Twilio need not read.
  const { default: twilio } = await import('twilio');
  const { FetchingClient } = await import('./fetching-client.ts');
  const { account_sid, auth_token } = account.credentials;
  return twilio(account_sid, auth_token, {
    httpClient: new FetchingClient(account, tools),
    edge: '',
    region: '',
  });
}
