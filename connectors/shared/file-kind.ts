import type { Attachment } from '../../core/contract/inbound.ts';

/** What a file is, by what its platform calls it (`image/png`). */
export function fileKind(contentType: string | null): Attachment['kind'] {
  const family = contentType?.split('/', 1)[0]?.toLowerCase();
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
