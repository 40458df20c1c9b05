import { z } from 'zod';
import type { Json, Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../../core/contract/facets.ts';
import type { Attachment } from '../../../core/contract/inbound.ts';
import { fileKind, readFile, requestFile } from '../../shared/files.ts';
import { optionalField } from '../../shared/http.ts';
import { resolveApiUrl, type TwilioAccount } from '../account.ts';
import type { MessageFields } from './payloads.ts';

/** Twilio forwards at most this many files with a message. */
const MAX_FILES = 10;
/** WhatsApp sends photos as JPEG or PNG, so WebP is a sticker. */
const stickerType = 'image/webp';

/** Returns the media, whose URLs Twilio numbers, and the location. */
export function parseAttachments(fields: MessageFields, native: Json): readonly Attachment[] {
  const count = Math.min(Number(fields.NumMedia ?? 0), MAX_FILES);
  const files = Array.from({ length: count }, (_, index) => fileAttachment(native, index));
  return [...files, locationAttachment(fields)].filter((attachment) => attachment !== null);
}

function fileAttachment(native: Json, index: number): Attachment | null {
  const [url, kind] = [`MediaUrl${index}`, `MediaContentType${index}`];
  const file = z
    .object({ [url]: optionalField(z.string()), [kind]: optionalField(z.string()) })
    .safeParse(native).data;
  const [reference, contentType = null] = [file?.[url], file?.[kind]];
  if (!reference) return null;
  const found = { kind: fileKind(contentType), name: null, contentType, bytes: null, reference };
  return contentType === stickerType ? { ...found, incidental: true } : found;
}

function locationAttachment({ Latitude, Longitude, Label, Address }: MessageFields): Attachment | null {
  if (Latitude === null || Longitude === null) return null;
  const reference = `geo:${Latitude},${Longitude}`;
  return { kind: 'other', name: Label ?? Address, contentType: null, bytes: null, reference };
}

/**
 * Fetches a visitor's file. Twilio requires the account's credentials and redirects to a storage host. The credentials
 * are not sent to that host, and no other host is requested.
 */
export async function fetchFile(
  reference: string,
  account: TwilioAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const address = mediaUrl(reference, account);
  const initialResponse = await requestMedia(address, account, { ...tools, authenticated: true });
  const location = initialResponse.headers.get('location');
  const response =
    initialResponse.status >= 300 && initialResponse.status < 400 && location !== null
      ? await requestMedia(storageUrl(URL.parse(location, address), account), account, {
          ...tools,
          authenticated: false,
        })
      : initialResponse;
  return readFile(response, 'Twilio', tools);
}

/** Returns the URL of a file in the account's media at Twilio, mapped to the configured base URL. */
function mediaUrl(reference: string, { credentials, settings }: TwilioAccount): string {
  const url = URL.parse(reference);
  const own = `/2010-04-01/Accounts/${credentials.account_sid}/Messages/`;
  const isTwilio = url !== null && /^api(\.[a-z0-9-]+)*\.twilio\.com$/.test(url.hostname);
  const isConfiguredHost =
    url !== null &&
    settings.api_base_url !== undefined &&
    url.origin === new URL(settings.api_base_url).origin;
  if (url === null || !(isTwilio || isConfiguredHost) || !url.pathname.startsWith(own))
    throw notAtTwilioError();
  return isConfiguredHost ? url.href : resolveApiUrl(url.href, settings.api_base_url);
}

function storageUrl(url: URL | null, { settings }: TwilioAccount): string {
  const isStorage =
    url?.protocol === 'https:' &&
    (/\.twiliocdn\.com$/.test(url.hostname) ||
      (/^s3[a-z0-9.-]*\.amazonaws\.com$/.test(url.hostname) &&
        /^\/(media|mms)\.twiliocdn\.com\//.test(url.pathname)));
  const isConfiguredHost =
    settings.api_base_url !== undefined && url?.origin === new URL(settings.api_base_url).origin;
  if (url === null || !(isStorage || isConfiguredHost)) throw notAtTwilioError();
  return url.href;
}

function notAtTwilioError(): ConnectorError {
  return new ConnectorError('The file is not hosted by Twilio.', { advice: { retry: 'never' } });
}

function requestMedia(
  address: string,
  { credentials: { account_sid, auth_token } }: TwilioAccount,
  { authenticated, ...tools }: Pick<Tools, 'fetch' | 'signal'> & { readonly authenticated: boolean },
): Promise<Response> {
  const basic = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
  const headers = authenticated ? { authorization: `Basic ${basic}` } : {};
  const secrets = [auth_token, basic, account_sid];
  return requestFile({ address, platform: 'Twilio', headers, secrets }, tools);
}
