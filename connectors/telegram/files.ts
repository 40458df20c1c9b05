import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { readFile, requestFile } from '../shared/files.ts';
import { optionalField } from '../shared/payload.ts';
import { apiBaseUrl, callTelegramOrThrow } from './api-client.ts';
import type { TelegramAccount } from './manifest.ts';
import type { TelegramFile, TelegramMessage, TelegramSticker } from './payloads.ts';

export function parseAttachments(message: TelegramMessage): readonly Attachment[] {
  const { animation, document, video_note, venue, location, contact } = message;
  const found = [
    fileAttachment('image', message.photo?.at(-1) ?? null, 'image/jpeg'),
    fileAttachment('audio', message.voice, 'audio/ogg'),
    fileAttachment('audio', message.audio, null),
    fileAttachment('video', message.video, null),
    fileAttachment('video', video_note, 'video/mp4'),
    fileAttachment('video', animation, null),
    // An animation comes as a document too, for clients that do not know it.
    animation === null ? fileAttachment('file', document, null) : null,
    stickerAttachment(message.sticker),
    location && otherAttachment(venue?.title ?? null, `geo:${location.latitude},${location.longitude}`),
    contact &&
      otherAttachment(joinNames(contact.first_name, contact.last_name), `tel:${contact.phone_number}`),
  ];
  return found.filter((attachment) => attachment !== null);
}

function fileAttachment(
  kind: Attachment['kind'],
  file: TelegramFile | null,
  usual: string | null,
): Attachment | null {
  if (file === null) return null;
  const { file_id: reference, file_name: name, file_size: bytes, mime_type } = file;
  return { kind, name, contentType: mime_type ?? usual, bytes, reference };
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

/** A file by its id: where somebody is, and whom he knows, is kept as an attachment too. */
const isId = /^[\w-]{1,250}$/;
/** A server of one's own may tell where the file is on its disk instead. */
const isBelow = /^[\w-]+(?:\/[\w-][\w.-]*)+$/;

const getFileSchema = z.object({ file_path: optionalField(z.string()) });

/** A file of a visitor. Telegram says where it is for an hour; the token stands in that address, as in every other. */
export async function fetchFile(
  reference: string,
  account: TelegramAccount,
  tools: Tools,
): Promise<FetchedFile> {
  if (!isId.test(reference)) throw fileError('This is no file of Telegram.');
  const params = { file_id: reference };
  const { file_path: path } = await callTelegramOrThrow(
    { method: 'getFile', params, result: getFileSchema },
    account,
    tools,
  );
  if (path === null || !isBelow.test(path)) throw fileError('Telegram does not hand the file out.');
  const { bot_token: token } = account.credentials;
  const address = `${apiBaseUrl(account)}/file/bot${token}/${path}`;
  const response = await requestFile({ address, platform: 'Telegram', secrets: [token] }, tools);
  return readFile(response, 'Telegram', tools);
}

function fileError(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
