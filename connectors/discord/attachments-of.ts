import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind } from '../shared/file-kind.ts';
import { writeFileReference, writeStickerReference } from './file-reference.ts';
import type { DiscordMessage } from './native-schema.ts';

export function attachmentsOf(message: DiscordMessage): readonly Attachment[] {
  const { channel_id: channel, id, sticker_items: stickers } = message;
  const files = filesOf(message).map(({ id: attachment, filename, content_type, size }) => ({
    kind: fileKind(content_type),
    name: filename,
    contentType: content_type,
    bytes: size,
    reference: writeFileReference({ channel, message: id, attachment }),
  }));
  const images = (stickers ?? []).map((sticker) => ({
    kind: 'image' as const,
    name: sticker.name,
    contentType: null,
    bytes: null,
    reference: writeStickerReference(sticker),
    incidental: true,
  }));
  return [...files, ...images];
}

/** Also of what was passed on with it. */
export function filesOf({ attachments, message_snapshots: passedOn }: DiscordMessage) {
  return [attachments, ...(passedOn ?? []).map(({ message }) => message.attachments)].flatMap(
    (files) => files ?? [],
  );
}
