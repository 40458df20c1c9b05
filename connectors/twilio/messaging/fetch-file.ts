import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../../core/contract/facets.ts';
import type { Tools } from '../../../core/contract/tools.ts';
import { platformError } from '../../shared/platform-error.ts';
import { readCapped } from '../../shared/read-capped.ts';
import { unreachableError } from '../../shared/unreachable-error.ts';
import { callAddress } from '../call-address.ts';
import type { TwilioAccount } from '../twilio-account.ts';

const TIMEOUT_MS = 20_000;

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
  if (!response.ok)
    throw platformError(`Twilio answered with status ${response.status}.`, response, tools.now());
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  return { contentType, body: await readCapped(response, 'Twilio') };
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

async function get(
  address: string,
  { credentials }: TwilioAccount,
  { fetch, signal, shows }: Pick<Tools, 'fetch' | 'signal'> & { readonly shows: boolean },
): Promise<Response> {
  const { account_sid, auth_token } = credentials;
  const basic = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
  try {
    return await fetch(address, {
      headers: shows ? { authorization: `Basic ${basic}` } : {},
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    throw unreachableError('Twilio', error, [auth_token, basic, account_sid]);
  }
}
