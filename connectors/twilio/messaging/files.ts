import { z } from 'zod';
import type { Json, Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../../core/contract/facets.ts';
import type { Attachment } from '../../../core/contract/inbound.ts';
import { fileKind, readFile, requestFile } from '../../shared/files.ts';
import { optionalField } from '../../shared/payload.ts';
import { resolveApiUrl, type TwilioAccount } from '../account.ts';
import type { MessageFields } from './payloads.ts';

/** Twilio passes on no more with one message. */
const MAX_FILES = 10;
/** Pictures come from WhatsApp as JPEG or PNG. */
const stickerType = 'image/webp';

/** Files, whose addresses Twilio numbers, and a place. */
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
 * A file of a visitor. Twilio wants the credentials of the account, and leads to where it keeps the file: nobody else is
 * shown these, and no other address is asked.
 */
export async function fetchFile(
  reference: string,
  account: TwilioAccount,
  tools: Tools,
): Promise<FetchedFile> {
  const address = mediaUrl(reference, account);
  const first = await requestMedia(address, account, { ...tools, shows: true });
  const place = first.headers.get('location');
  const response =
    first.status >= 300 && first.status < 400 && place !== null
      ? await requestMedia(storageUrl(URL.parse(place, address), account), account, {
          ...tools,
          shows: false,
        })
      : first;
  return readFile(response, 'Twilio', tools);
}

/** Of this account's media at Twilio, called where the settings say. */
function mediaUrl(reference: string, { credentials, settings }: TwilioAccount): string {
  const url = URL.parse(reference);
  const own = `/2010-04-01/Accounts/${credentials.account_sid}/Messages/`;
  const isTwilio = url !== null && /^api(\.[a-z0-9-]+)*\.twilio\.com$/.test(url.hostname);
  const isElsewhere =
    url !== null &&
    settings.api_base_url !== undefined &&
    url.origin === new URL(settings.api_base_url).origin;
  if (url === null || !(isTwilio || isElsewhere) || !url.pathname.startsWith(own)) throw notAtTwilioError();
  return isElsewhere ? url.href : resolveApiUrl(url.href, settings.api_base_url);
}

function storageUrl(url: URL | null, { settings }: TwilioAccount): string {
  const isStorage =
    url?.protocol === 'https:' &&
    (/\.twiliocdn\.com$/.test(url.hostname) ||
      (/^s3[a-z0-9.-]*\.amazonaws\.com$/.test(url.hostname) &&
        /^\/(media|mms)\.twiliocdn\.com\//.test(url.pathname)));
  const isElsewhere =
    settings.api_base_url !== undefined && url?.origin === new URL(settings.api_base_url).origin;
  if (url === null || !(isStorage || isElsewhere)) throw notAtTwilioError();
  return url.href;
}

function notAtTwilioError(): ConnectorError {
  return new ConnectorError('The file is not at Twilio.', { advice: { retry: 'never' } });
}

function requestMedia(
  address: string,
  { credentials: { account_sid, auth_token } }: TwilioAccount,
  { shows, ...tools }: Pick<Tools, 'fetch' | 'signal'> & { readonly shows: boolean },
): Promise<Response> {
  const basic = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
  const headers = shows ? { authorization: `Basic ${basic}` } : {};
  const secrets = [auth_token, basic, account_sid];
  return requestFile({ address, platform: 'Twilio', headers, secrets }, tools);
}
