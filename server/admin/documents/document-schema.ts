import { z } from 'zod';
import { documentStatuses } from '../../../core/knowledge/document.ts';

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
    progress: z.int().meta({ description: 'Per cent that is indexed.' }),
    failure: z
      .object({ code: z.string(), reason: z.string() })
      .nullable()
      .meta({ description: 'Why it could not be indexed, and what to do.' }),
    bytes: z.int(),
    chunks: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    indexed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Document' });
