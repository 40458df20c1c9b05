import { z } from 'zod';

const results = z.array(
  z.object({
    url: z.string(),
    name: z.string(),
    site: z.string(),
    score: z.int().meta({ minimum: 0, maximum: 100 }),
    description: z.string(),
    schema_object: z.record(z.string(), z.unknown()).meta({ description: 'schema.org, as JSON-LD.' }),
  }),
);

/** The answer as the open NLWeb protocol has it. */
export const upstreamAnswerSchema = z
  .object({
    query_id: z.string(),
    results,
    summary: z.string().optional().meta({ description: 'With mode summarize.' }),
    answer: z.string().optional().meta({ description: 'With mode generate.' }),
    items: results.optional().meta({ description: 'With mode generate: what the answer rests on.' }),
  })
  .meta({ id: 'NlwebAnswer' });

export type UpstreamAnswer = z.output<typeof upstreamAnswerSchema>;
export type UpstreamResult = UpstreamAnswer['results'][number];
