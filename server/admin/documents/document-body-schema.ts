import { z } from 'zod';
import { UploadedFile } from '../../forms/uploaded-file.ts';
import { answerWith } from '../../schemas/answer-with.ts';
import { audienceSchema } from '../../schemas/audience-schema.ts';
import { characters } from '../../schemas/characters.ts';

/** What a database can index as one key, with room to spare. */
const indexableBytes = 2_000;

const isIndexable = (text: string) => Buffer.byteLength(text) <= indexableBytes;

const file = z
  .instanceof(UploadedFile)
  .refine(({ bytes }) => bytes.byteLength > 0)
  .meta({ type: 'string', format: 'binary', description: 'PDF, DOCX, Markdown, HTML, text or CSV.' });

const fields = z.object({
  title: characters({ min: 1, max: 500 }, z.string().trim()).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .refine(isIndexable)
    .optional()
    .meta({ maxLength: indexableBytes, description: 'A document with the same address is replaced.' }),
  audience: audienceSchema.refine((tags) => isIndexable(tags.join())).default([]),
});

/** A document: its text as `content`, or as a file of a form. */
export const documentBodySchema = fields
  .extend({
    content: z.string().min(1).optional().meta({ description: 'The text, unless there is a file.' }),
    content_type: z.enum(['text/plain', 'text/markdown', 'text/html']).optional(),
    file: file.optional(),
  })
  .refine((body) => body.content !== undefined || body.file !== undefined, {
    ...answerWith('missing_field'),
    path: ['content'],
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** A document as a file of a form, and nothing else. */
export const uploadBodySchema = fields.extend({ file });
