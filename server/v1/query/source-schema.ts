import { z } from 'zod';

const score = z.number().meta({ minimum: 0, maximum: 1 });

/** A passage an answer rests on, under the names of both documented variants. */
export const sourceSchema = z
  .object({
    document_id: z.string(),
    chunk_id: z.string(),
    title: z.string(),
    document_name: z.string().meta({ description: 'Equal to title.' }),
    url: z.string().nullable(),
    chunk: z.string().meta({ description: "The passage's exact text." }),
    chunk_text: z.string().meta({ description: 'Equal to chunk.' }),
    score,
    relevance_score: score.meta({ minimum: 0, maximum: 1, description: 'Equal to score.' }),
  })
  .meta({ id: 'Source' });
