import type { Twilio } from 'twilio';
import type { Tools } from '../../core/contract/account.ts';
import type { TwilioAccount } from './account.ts';

/**
 * Returns Twilio's library for an account. Its calls go to the address in the settings and throw ConnectorErrors. The
 * environment of the process (proxies, regions) has no effect.
 */
export async function createTwilioClient(
  account: TwilioAccount,
  tools: Pick<Tools, 'fetch' | 'signal' | 'now'>,
): Promise<Twilio> {
  // The library consists of hundreds of files, so only installations with Twilio load it.
  const { default: twilio } = await import('twilio');
  const { FetchingClient } = await import('./fetching-client.ts');
  const { account_sid, auth_token } = account.credentials;
  return twilio(account_sid, auth_token, {
    httpClient: new FetchingClient(account, tools),
    edge: '',
    region: '',
  });
}
