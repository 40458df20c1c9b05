import type { Attachment } from '../../core/contract/inbound-event.ts';
import { webLink } from '../shared/web-link.ts';
import type { IntercomAttachment } from './notification-schema.ts';

interface Content {
  readonly attachments: readonly IntercomAttachment[] | null;
  /** Addresses of pictures within the text. */
  readonly images: readonly string[];
}

/** What came with a message: a picture may be attached, or stand in the text. */
export function attachmentsOf({ attachments, images }: Content): readonly Attachment[] {
  const attached = (attachments ?? []).map(({ url, name, content_type, filesize }): Attachment => {
    return { kind: kindOf(content_type), name, contentType: content_type, bytes: filesize, reference: url };
  });
  const known = new Set(attached.map(({ reference }) => reference));
  const inText = images
    .filter((address) => webLink(address) !== null && !known.has(address))
    .map((reference): Attachment => {
      return { kind: 'image', name: null, contentType: null, bytes: null, reference };
    });
  return [...attached, ...inText];
}

function kindOf(contentType: string | null): Attachment['kind'] {
  const [kind] = contentType?.split('/', 1) ?? [];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
