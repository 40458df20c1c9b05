import { z } from 'zod';
import { type DocumentRecord, documentStatuses } from '../../../core/knowledge/document.ts';
import { UploadedFile } from '../../multipart-form.ts';
import { audienceSchema, boundedString } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one document. */
export const documentParamsSchema = workspaceParamsSchema.extend({
  doc_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('document_not_found')),
});

/** The size of a text that the database can index as one key, with a margin. */
const indexableBytes = 2_000;

const isIndexable = (text: string) => Buffer.byteLength(text) <= indexableBytes;

const file = z
  .instanceof(UploadedFile)
  .refine(({ bytes }) => bytes.byteLength > 0)
  .meta({ type: 'string', format: 'binary', description: 'PDF, DOCX, Markdown, HTML, text or CSV.' });

const fields = z.object({
  title: boundedString({ min: 1, max: 500 }, z.string().trim()).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .refine(isIndexable)
    .optional()
    .meta({ maxLength: indexableBytes, description: 'Replaces a document with the same URL.' }),
  audience: audienceSchema.refine((tags) => isIndexable(tags.join())).default([]),
});

/** A document: its text in `content`, or a file of a form. */
export const documentBodySchema = fields
  .extend({
    content: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The text of the document. Required if there is no file.' }),
    content_type: z.enum(['text/plain', 'text/markdown', 'text/html']).optional(),
    file: file.optional(),
  })
  .refine((body) => body.content !== undefined || body.file !== undefined, {
    ...withErrorCode('missing_field'),
    path: ['content'],
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** A document as the file of a form. */
export const uploadBodySchema = fields.extend({ file });

/** A document as the operator sees it. */
export const documentSchema = z
  .object({
    id: z.string(),
    workspace_id: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    file_name: z.string().nullable(),
    content_type: z.string().nullable(),
    audience: z.array(z.string()),
    status: z.enum([...documentStatuses, 'deleted']),
    progress: z.int().meta({ description: 'The indexed share in per cent.' }),
    failure: z
      .object({ code: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Why indexing failed, and what to do.' }),
    bytes: z.int(),
    chunks: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    indexed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Document' });

export function presentDocument(document: DocumentRecord): z.output<typeof documentSchema> {
  return {
    id: document.id,
    workspace_id: document.workspaceId,
    title: document.title,
    url: document.url,
    file_name: document.fileName,
    content_type: document.contentType,
    audience: [...document.audience],
    status: document.status,
    progress: document.progress,
    failure: document.failure,
    bytes: document.byteCount,
    chunks: document.chunkCount,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt?.toISOString() ?? null,
  };
}
