import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind } from '../shared/file-kind.ts';
import type { SlackMessage } from './event-schema.ts';

/** Also of messages that are passed on. */
export function attachmentsOf({ files, attachments }: SlackMessage): readonly Attachment[] {
  const passedOn = (attachments ?? []).flatMap((each) => (each.is_share === true ? (each.files ?? []) : []));
  return [...(files ?? []), ...passedOn].flatMap((file) => {
    const reference = file.url_private_download ?? file.url_private ?? file.id;
    if (reference === null) return [];
    const { name, mimetype: contentType, size: bytes } = file;
    return [{ kind: fileKind(contentType), name, contentType, bytes, reference }];
  });
}
