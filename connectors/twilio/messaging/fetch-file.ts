import type { Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../../core/contract/facets.ts';
import { fileIn } from '../../shared/file-in.ts';
import { requestFile } from '../../shared/request-file.ts';
import { callAddress } from '../call-address.ts';
import type { TwilioAccount } from '../twilio-account.ts';

/**
 * A file of a visitor. Twilio wants the credentials of the account, and leads to where it keeps the file: nobody else is
 * shown these, and no other address is asked.
 */
export async function fetchFile(
  reference: string,
  account: TwilioAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const address = mediaAddress(reference, account);
  const first = await get(address, account, { ...tools, shows: true });
  const place = first.headers.get('location');
  const response =
    first.status >= 300 && first.status < 400 && place !== null
      ? await get(storageAddress(URL.parse(place, address), account), account, { ...tools, shows: false })
      : first;
  return fileIn(response, 'Twilio', tools);
}

/** Of this account's media at Twilio, called where the settings say. */
function mediaAddress(reference: string, { credentials, settings }: TwilioAccount): string {
  const url = URL.parse(reference);
  const own = `/2010-04-01/Accounts/${credentials.account_sid}/Messages/`;
  const isTwilio = url !== null && /^api(\.[a-z0-9-]+)*\.twilio\.com$/.test(url.hostname);
  const isElsewhere =
    url !== null &&
    settings.api_base_url !== undefined &&
    url.origin === new URL(settings.api_base_url).origin;
  if (url === null || !(isTwilio || isElsewhere) || !url.pathname.startsWith(own)) throw notTwilios();
  return isElsewhere ? url.href : callAddress(url.href, settings.api_base_url);
}

function storageAddress(url: URL | null, { settings }: TwilioAccount): string {
  const isStorage =
    url?.protocol === 'https:' &&
    (/\.twiliocdn\.com$/.test(url.hostname) ||
      (/^s3[a-z0-9.-]*\.amazonaws\.com$/.test(url.hostname) &&
        /^\/(media|mms)\.twiliocdn\.com\//.test(url.pathname)));
  const isElsewhere =
    settings.api_base_url !== undefined && url?.origin === new URL(settings.api_base_url).origin;
  if (url === null || !(isStorage || isElsewhere)) throw notTwilios();
  return url.href;
}

function notTwilios(): ConnectorError {
  return new ConnectorError('The file is not at Twilio.', { advice: { retry: 'never' } });
}

function get(
  address: string,
  { credentials: { account_sid, auth_token } }: TwilioAccount,
  { shows, ...tools }: Pick<Tools, 'fetch' | 'signal'> & { readonly shows: boolean },
): Promise<Response> {
  const basic = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
  const headers = shows ? { authorization: `Basic ${basic}` } : {};
  const secrets = [auth_token, basic, account_sid];
  return requestFile({ address, platform: 'Twilio', headers, secrets }, tools);
}
