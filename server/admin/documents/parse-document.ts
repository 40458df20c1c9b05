import type { z } from 'zod';
import { DocumentError } from '../../../core/knowledge/documents/document-error.ts';
import type { DocumentSource } from '../../../core/knowledge/documents/document-revision.ts';
import type { UploadedFile } from '../../multipart-form.ts';
import { type documentBodySchema, maxFileBytes, type uploadBodySchema } from './schema.ts';

/**
 * Converts the body of an upload into a document for the core. A file that is too large is passed on as its
 * refusal, without its bytes.
 */
export function parseDocument(
  body: z.output<typeof documentBodySchema> | z.output<typeof uploadBodySchema>,
): DocumentSource {
  const { title, url, audience } = body;
  return { title, url, audience, ...parseContent(body) };
}

interface ContentBody {
  readonly content?: string | undefined;
  readonly content_type?: string | undefined;
  readonly file?: UploadedFile | undefined;
}

/** The same for content alone. */
export function parseContent({ file, content = '', content_type }: ContentBody): DocumentSource {
  const bytes = file?.bytes ?? Buffer.from(content);
  const described = {
    contentType: file?.contentType ?? content_type,
    fileName: file?.name || undefined,
    origin: file === undefined ? ('text' as const) : ('file' as const),
  };
  if (!file?.truncated && bytes.byteLength <= maxFileBytes) return { ...described, bytes };
  const refusal = new DocumentError('too_large', `${Math.floor(maxFileBytes / 2 ** 20)} MB`);
  return { ...described, bytes: new Uint8Array(), refusal };
}
