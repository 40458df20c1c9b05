import type { Attachment } from '../../core/contract/inbound-event.ts';
import type { SlackFile, SlackMessage } from './event-schema.ts';

export function attachmentsOf({ files }: SlackMessage): readonly Attachment[] {
  return (files ?? []).flatMap((file) => {
    const reference = file.url_private_download ?? file.url_private ?? file.id;
    if (reference === null) return [];
    const { name, mimetype: contentType, size: bytes } = file;
    return [{ kind: kindOf(file), name, contentType, bytes, reference }];
  });
}

function kindOf({ mimetype }: SlackFile): Attachment['kind'] {
  const family = mimetype?.split('/', 1)[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
