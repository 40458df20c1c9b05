import { z } from 'zod';

const part = z.number();

/** A passage that a search found, with the evidence behind its score. */
export const resultSchema = z
  .object({
    document_id: z.string(),
    chunk_id: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    chunk: z.string(),
    score: z.number().meta({ minimum: 0, maximum: 1 }),
    parts: z.object({ bm25: part, coverage: part, cosine: part, fused: part }),
  })
  .meta({ id: 'SearchResult' });
