import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind } from '../shared/file-kind.ts';
import { webLink } from '../shared/web-link.ts';
import { writeFileReference } from './file-reference.ts';
import { readHtml } from './html-text.ts';
import type { IntercomPart } from './notification-schema.ts';

type Content = Pick<IntercomPart, 'body' | 'attachments'>;

interface Attached extends Omit<Attachment, 'reference'> {
  readonly address: string;
}

/** What came with a message. */
export function attachmentsOf(said: Content, messageId: string): readonly Attachment[] {
  return attachedTo(said).map(({ address, ...about }) => ({
    ...about,
    reference: writeFileReference(messageId, address),
  }));
}

/** A picture may be attached, or stand in the text. */
export function attachedTo({ attachments, body }: Content): readonly Attached[] {
  const attached = (attachments ?? []).map(({ url, name, content_type, filesize }): Attached => {
    return { kind: fileKind(content_type), name, contentType: content_type, bytes: filesize, address: url };
  });
  const known = new Set(attached.map(({ address }) => address));
  const inText = readHtml(body ?? '')
    .images.filter((address) => webLink(address) !== null && !known.has(address))
    .map((address): Attached => {
      return { kind: 'image', name: null, contentType: null, bytes: null, address };
    });
  return [...attached, ...inText];
}
