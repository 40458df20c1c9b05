import type { Selectable } from 'kysely';
import type { Attachment } from '../contract/inbound-event.ts';
import type { Tables } from '../storage/tables.ts';

type Row = Pick<Selectable<Tables['visitor_file']>, 'id' | 'name' | 'content_type' | 'size'>;

/** A file of a visitor as the message that it comes with has it. */
export function attachmentOf({ id, name, content_type: contentType, size }: Row): Attachment {
  const kind = contentType.startsWith('image/') ? 'image' : 'file';
  return { kind, name, contentType, bytes: size, reference: id };
}
