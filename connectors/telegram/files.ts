import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../core/contract/facets.ts';
import type { Attachment } from '../../core/contract/inbound.ts';
import { fileIn, requestFile } from '../shared/files.ts';
import { lenient } from '../shared/payload.ts';
import { demandTelegram, homeOf } from './api-client.ts';
import type { TelegramAccount } from './manifest.ts';
import type { TelegramFile, TelegramMessage, TelegramSticker } from './payloads.ts';

export function attachmentsOf(message: TelegramMessage): readonly Attachment[] {
  const { animation, document, video_note, venue, location, contact } = message;
  const found = [
    fileOf('image', message.photo?.at(-1) ?? null, 'image/jpeg'),
    fileOf('audio', message.voice, 'audio/ogg'),
    fileOf('audio', message.audio, null),
    fileOf('video', message.video, null),
    fileOf('video', video_note, 'video/mp4'),
    fileOf('video', animation, null),
    // An animation comes as a document too, for clients that do not know it.
    animation === null ? fileOf('file', document, null) : null,
    stickerOf(message.sticker),
    location && other(venue?.title ?? null, `geo:${location.latitude},${location.longitude}`),
    contact && other(joined(contact.first_name, contact.last_name), `tel:${contact.phone_number}`),
  ];
  return found.filter((attachment) => attachment !== null);
}

function fileOf(
  kind: Attachment['kind'],
  file: TelegramFile | null,
  usual: string | null,
): Attachment | null {
  if (file === null) return null;
  const { file_id: reference, file_name: name, file_size: bytes, mime_type } = file;
  return { kind, name, contentType: mime_type ?? usual, bytes, reference };
}

function stickerOf(sticker: TelegramSticker | null): Attachment | null {
  if (sticker === null) return null;
  const animated = sticker.is_animated === true ? 'application/x-tgsticker' : 'image/webp';
  const contentType = sticker.is_video === true ? 'video/webm' : animated;
  const { emoji: name, file_size: bytes, file_id: reference } = sticker;
  return { kind: 'image', name, contentType, bytes, reference, incidental: true };
}

function other(name: string | null, reference: string): Attachment {
  return { kind: 'other', name, contentType: null, bytes: null, reference };
}

function joined(first: string | null, last: string | null): string | null {
  return [first, last].filter(Boolean).join(' ') || null;
}

/** A file by its id: where somebody is, and whom he knows, is kept as an attachment too. */
const isId = /^[\w-]{1,250}$/;
/** A server of one's own may tell where the file is on its disk instead. */
const isBelow = /^[\w-]+(?:\/[\w-][\w.-]*)+$/;

const told = z.object({ file_path: lenient(z.string()) });

/** A file of a visitor. Telegram says where it is for an hour; the token stands in that address, as in every other. */
export async function fetchFile(
  reference: string,
  account: TelegramAccount,
  tools: Tools,
): Promise<FetchedFile> {
  if (!isId.test(reference)) throw refused('This is no file of Telegram.');
  const params = { file_id: reference };
  const { file_path: path } = await demandTelegram(
    { method: 'getFile', params, result: told },
    account,
    tools,
  );
  if (path === null || !isBelow.test(path)) throw refused('Telegram does not hand the file out.');
  const { bot_token: token } = account.credentials;
  const address = `${homeOf(account)}/file/bot${token}/${path}`;
  const response = await requestFile({ address, platform: 'Telegram', secrets: [token] }, tools);
  return fileIn(response, 'Telegram', tools);
}

function refused(words: string): ConnectorError {
  return new ConnectorError(words, { advice: { retry: 'never' } });
}
