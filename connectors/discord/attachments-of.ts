import type { Attachment } from '../../core/contract/inbound-event.ts';
import type { DiscordMessage } from './native-schema.ts';

type Files = Pick<DiscordMessage, 'attachments' | 'sticker_items'>;

/** The reference is where Discord has the file, for a day or so. */
export function attachmentsOf({ attachments, sticker_items: stickers }: Files): readonly Attachment[] {
  const files = (attachments ?? []).map(({ filename, content_type, size, url }) => ({
    kind: kindOf(content_type),
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

function kindOf(contentType: string | null): Attachment['kind'] {
  const [family] = contentType?.split('/', 1) ?? [];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
