import { z } from 'zod';
import {
  type DocumentRecord,
  documentOrigins,
  documentStatuses,
} from '../../../core/knowledge/documents/document.ts';
import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loader.ts';
import { UploadedFile } from '../../multipart-form.ts';
import { audienceSchema, boundedString } from '../../schemas/fields.ts';
import { withErrorCode } from '../../schemas/responses.ts';
import { workspaceParamsSchema } from '../operator-route.ts';

/** The path parameters of one document. */
export const documentParamsSchema = workspaceParamsSchema.extend({
  doc_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('document_not_found')),
});

export const { maxFileBytes } = DEFAULT_LOADING_LIMITS;
/** Larger than a document may be: a document that is too large is stored as failed, with the reason. */
export const bodyLimit = 30 * 2 ** 20;

/** The size of a text that the database can index as one key, with a margin. */
const indexableBytes = 2_000;

const isIndexable = (text: string) => Buffer.byteLength(text) <= indexableBytes;

const file = z
  .instanceof(UploadedFile)
  .refine(({ bytes }) => bytes.byteLength > 0)
  .meta({
    type: 'string',
    format: 'binary',
    description:
      'PDF, DOCX, XLSX, PPTX, ODT, EPUB, RTF, EML, Markdown, HTML, text or CSV; with OCR also PNG, JPEG, TIFF and WebP.',
  });

const titleSchema = boundedString({ min: 1, max: 500 }, z.string().trim());
const urlSchema = z.url({ protocol: /^https?$/ }).refine(isIndexable);
const readersSchema = audienceSchema.refine((tags) => isIndexable(tags.join()));

const fields = z.object({
  title: titleSchema.optional(),
  url: urlSchema
    .optional()
    .meta({ maxLength: indexableBytes, description: 'Replaces a document with the same URL.' }),
  audience: readersSchema.default([]),
});

/** The fields of a document that change without its content. */
export const documentChangeSchema = z.object({
  title: titleSchema.optional(),
  url: urlSchema
    .nullable()
    .optional()
    .meta({ maxLength: indexableBytes, description: 'The address for readers; null removes it.' }),
  audience: readersSchema.optional(),
});

/** A page on the web that becomes a document. */
export const pageBodySchema = fields.extend({
  url: urlSchema.meta({ maxLength: indexableBytes, description: 'Replaces a document with the same URL.' }),
});

/** New content of a document: text, or a file of a form. */
export const contentBodySchema = z
  .object({
    content: z.string().min(1).optional(),
    content_type: z.enum(['text/plain', 'text/markdown', 'text/html']).optional(),
    file: file.optional(),
  })
  .refine((body) => body.content !== undefined || body.file !== undefined, {
    ...withErrorCode('missing_field'),
    path: ['content'],
    when: ({ value }) => typeof value === 'object' && value !== null,
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
    origin: z
      .enum(documentOrigins)
      .nullable()
      .meta({ description: 'Where it came from; null if that was not stored.' }),
    source_id: z
      .string()
      .nullable()
      .meta({ description: 'The source that keeps it in step; null if none does.' }),
    answering: z.boolean().meta({ description: 'Whether answers use an indexed text of it.' }),
    bytes: z.int(),
    chunks: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    indexed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Document' });

/** A document in a list, with its use. */
export const listedDocumentSchema = documentSchema
  .extend({
    use: z.object({ answers: z.int(), rated: z.int(), disliked: z.int() }).meta({
      description:
        'Answers of the last 30 days that rest on the document, how many of them visitors rated, and how many of these with a thumbs down. Counted every five minutes.',
    }),
  })
  .meta({ id: 'ListedDocument' });

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
    origin: document.origin,
    source_id: document.sourceId,
    answering: document.revision > 0,
    bytes: document.byteCount,
    chunks: document.chunkCount,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt?.toISOString() ?? null,
  };
}
