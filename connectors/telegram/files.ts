import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { readFile, requestFile } from '../shared/files.ts';
import { optionalField } from '../shared/http.ts';
import { apiBaseUrl, callTelegramOrThrow } from './api-client.ts';
import type { TelegramAccount } from './manifest.ts';
import type { TelegramFile, TelegramMessage, TelegramSticker } from './payloads.ts';

export function parseAttachments(message: TelegramMessage): readonly Attachment[] {
  const { animation, document, video_note, venue, location, contact } = message;
  const candidates = [
    fileAttachment('image', message.photo?.at(-1) ?? null, 'image/jpeg'),
    fileAttachment('audio', message.voice, 'audio/ogg'),
    fileAttachment('audio', message.audio, null),
    fileAttachment('video', message.video, null),
    fileAttachment('video', video_note, 'video/mp4'),
    fileAttachment('video', animation, null),
    // Telegram repeats an animation as a document for clients that do not support animations.
    animation === null ? fileAttachment('file', document, null) : null,
    stickerAttachment(message.sticker),
    location && otherAttachment(venue?.title ?? null, `geo:${location.latitude},${location.longitude}`),
    contact &&
      otherAttachment(joinNames(contact.first_name, contact.last_name), `tel:${contact.phone_number}`),
  ];
  return candidates.filter((attachment) => attachment !== null);
}

function fileAttachment(
  kind: Attachment['kind'],
  file: TelegramFile | null,
  defaultType: string | null,
): Attachment | null {
  if (file === null) return null;
  const { file_id: reference, file_name: name, file_size: bytes, mime_type, duration: seconds } = file;
  const contentType = mime_type ?? defaultType;
  return { kind, name, contentType, bytes, reference, ...(seconds !== null && { seconds }) };
}

function stickerAttachment(sticker: TelegramSticker | null): Attachment | null {
  if (sticker === null) return null;
  const animated = sticker.is_animated === true ? 'application/x-tgsticker' : 'image/webp';
  const contentType = sticker.is_video === true ? 'video/webm' : animated;
  const { emoji: name, file_size: bytes, file_id: reference } = sticker;
  return { kind: 'image', name, contentType, bytes, reference, incidental: true };
}

function otherAttachment(name: string | null, reference: string): Attachment {
  return { kind: 'other', name, contentType: null, bytes: null, reference };
}

function joinNames(first: string | null, last: string | null): string | null {
  return [first, last].filter(Boolean).join(' ') || null;
}

/** A file id. Other references are locations (`geo:`) and contacts (`tel:`), which are attachments too. */
const fileIdPattern = /^[\w-]{1,250}$/;
/** A relative path. A self-hosted Bot API server may return a path on its disk instead. */
const filePathPattern = /^[\w-]+(?:\/[\w-][\w.-]*)+$/;

const getFileSchema = z.object({ file_path: optionalField(z.string()) });

/** Downloads a file of a visitor. Its address is valid for an hour and contains the token, so no error may contain it. */
export async function fetchFile(
  reference: string,
  account: TelegramAccount,
  tools: Tools,
): Promise<FetchedFile> {
  if (!fileIdPattern.test(reference)) throw fileError('The file reference is not a Telegram file.');
  const params = { file_id: reference };
  const { file_path: path } = await callTelegramOrThrow(
    { method: 'getFile', params, result: getFileSchema },
    account,
    tools,
  );
  if (path === null || !filePathPattern.test(path))
    throw fileError('Telegram returned no path to download the file.');
  const { bot_token: token } = account.credentials;
  const address = `${apiBaseUrl(account)}/file/bot${token}/${path}`;
  const response = await requestFile({ address, platform: 'Telegram', secrets: [token] }, tools);
  return readFile(response, 'Telegram', tools);
}

function fileError(message: string): ConnectorError {
  return new ConnectorError(message, { advice: { retry: 'never' } });
}
