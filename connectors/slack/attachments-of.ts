import type { Attachment } from '../../core/contract/inbound-event.ts';
import { fileKind } from '../shared/file-kind.ts';
import type { SlackMessage } from './event-schema.ts';

export function attachmentsOf({ files }: SlackMessage): readonly Attachment[] {
  return (files ?? []).flatMap((file) => {
    const reference = file.url_private_download ?? file.url_private ?? file.id;
    if (reference === null) return [];
    const { name, mimetype: contentType, size: bytes } = file;
    return [{ kind: fileKind(contentType), name, contentType, bytes, reference }];
  });
}
