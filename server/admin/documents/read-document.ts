import type { z } from 'zod';
import { DocumentError } from '../../../core/knowledge/document-error.ts';
import type { NewDocument } from '../../../core/knowledge/documents.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loading-limits.ts';
import type { documentBodySchema, uploadBodySchema } from './document-body-schema.ts';

const { maxFileBytes } = DEFAULT_LOADING_LIMITS;

/** The body of an upload as a document to the core; one that is too large comes with its refusal, not its bytes. */
export function readDocument(
  body: z.output<typeof documentBodySchema> | z.output<typeof uploadBodySchema>,
): Omit<NewDocument, 'workspaceId'> {
  const { title, url, audience, file } = body;
  const { content = '', content_type = undefined } = 'content' in body ? body : {};
  const bytes = file?.bytes ?? Buffer.from(content);
  const described = {
    title,
    url,
    audience,
    contentType: file?.contentType ?? content_type,
    fileName: file?.name || undefined,
  };
  if (!file?.truncated && bytes.byteLength <= maxFileBytes) return { ...described, bytes };
  const refusal = new DocumentError('too_large', `${Math.floor(maxFileBytes / 2 ** 20)} MB`);
  return { ...described, bytes: new Uint8Array(), refusal };
}
