import { z } from 'zod';
import type { Attachment } from '../contract/inbound-event.ts';

const attachmentSchema = z.object({
  kind: z.enum(['image', 'audio', 'video', 'file', 'other']),
  name: z.string().nullable(),
  contentType: z.string().nullable(),
  bytes: z.int().nullable(),
  reference: z.string(),
});
const metadataSchema = z.object({ attachments: z.array(attachmentSchema) });

/** The files that came with a message; what an integrator keeps with his own under that name is none. */
export function messageAttachments(metadata: unknown): readonly Attachment[] {
  return metadataSchema.safeParse(metadata).data?.attachments ?? [];
}
