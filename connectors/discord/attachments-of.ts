import type { Attachment } from '../../core/contract/inbound-event.ts';
import { fileKind } from '../shared/file-kind.ts';
import type { DiscordMessage } from './native-schema.ts';

type Files = Pick<DiscordMessage, 'attachments' | 'sticker_items'>;

/** The reference is where Discord has the file, for a day or so. */
export function attachmentsOf({ attachments, sticker_items: stickers }: Files): readonly Attachment[] {
  const files = (attachments ?? []).map(({ filename, content_type, size, url }) => ({
    kind: fileKind(content_type),
    name: filename,
    contentType: content_type,
    bytes: size,
    reference: url,
  }));
  const images = (stickers ?? []).map(({ id, name }) => ({
    kind: 'image' as const,
    name,
    contentType: null,
    bytes: null,
    reference: `sticker:${id}`,
  }));
  return [...files, ...images];
}
