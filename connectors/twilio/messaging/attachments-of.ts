import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import type { Attachment } from '../../../core/contract/inbound.ts';
import { fileKind } from '../../shared/file-kind.ts';
import { lenient } from '../../shared/lenient.ts';
import type { Fields } from './fields-schema.ts';

/** Twilio passes on no more with one message. */
const MOST_FILES = 10;
/** Pictures come from WhatsApp as JPEG or PNG. */
const stickerType = 'image/webp';

/** Files, whose addresses Twilio numbers, and a place. */
export function attachmentsOf(fields: Fields, native: Json): readonly Attachment[] {
  const count = Math.min(Number(fields.NumMedia ?? 0), MOST_FILES);
  const files = Array.from({ length: count }, (_, index) => fileOf(native, index));
  return [...files, placeOf(fields)].filter((attachment) => attachment !== null);
}

function fileOf(native: Json, index: number): Attachment | null {
  const [url, kind] = [`MediaUrl${index}`, `MediaContentType${index}`];
  const file = z.object({ [url]: lenient(z.string()), [kind]: lenient(z.string()) }).safeParse(native).data;
  const [reference, contentType = null] = [file?.[url], file?.[kind]];
  if (!reference) return null;
  const found = { kind: fileKind(contentType), name: null, contentType, bytes: null, reference };
  return contentType === stickerType ? { ...found, incidental: true } : found;
}

function placeOf({ Latitude, Longitude, Label, Address }: Fields): Attachment | null {
  if (Latitude === null || Longitude === null) return null;
  const reference = `geo:${Latitude},${Longitude}`;
  return { kind: 'other', name: Label ?? Address, contentType: null, bytes: null, reference };
}
