import { z } from 'zod';
import {
  audienceSchema,
  boundedString,
  documentIdsSchema,
  questionSchema,
  workspaceIdSchema,
} from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import { identitySchema } from './identity.ts';

/** What an idempotent route takes in its headers; the others pass. */
const idempotencyHeadersSchema = z.looseObject({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'Names this request for 24 hours: sent again under the same key, it gets the same answer and counts once.',
  }),
});

const scoreSchema = z.number().meta({ minimum: 0, maximum: 1 });

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
    score: scoreSchema,
    relevance_score: scoreSchema.meta({ minimum: 0, maximum: 1, description: 'Equal to score.' }),
  })
  .meta({ id: 'Source' });

const metadataBytes = 16 * 1024;

const queryBody = z.object({
  workspace_id: workspaceIdSchema.optional().meta({ description: "The key's own workspace when absent." }),
  query: questionSchema,
  conversation_id: z
    .string()
    .optional()
    .meta({ description: 'Continues a conversation; absent, null or empty begins one.' }),
  top_k: z
    .number()
    .int()
    .min(1)
    .max(20)
    .default(5)
    .meta({ description: 'Passages that the answer may draw on.' }),
  temperature: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'How freely a language model words the answer.' }),
  strictness: z
    .enum(['strict', 'fallback'])
    .optional()
    .meta({
      description:
        'strict answers from the documents only; fallback lets a language model answer from general knowledge where ' +
        "they hold nothing, with confidence low. The workspace's setting when absent.",
    }),
  audience: audienceSchema.default([]),
  document_ids: documentIdsSchema.optional().meta({ description: 'Draws on these documents only.' }),
  session_id: boundedString({ max: 200 }).optional(),
  ...identitySchema.shape,
  metadata: z
    .record(z.string(), z.unknown())
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= metadataBytes)
    .optional()
    .meta({
      description:
        'Free context, such as page_url: kept with the question, and no part of the answer. At most 16 KB of JSON, ' +
        'else `422 invalid_metadata`.',
    }),
});

const queryResponse = z.object({
  answer: z.string(),
  sources: z.array(sourceSchema).max(5),
  conversation_id: z.string(),
  message_id: z.string(),
  query_id: z.string().meta({ description: 'Equal to message_id.' }),
  tokens_used: z.int(),
  skills_fired: z.array(z.string()),
  latency_ms: z.int(),
  confidence: z.enum(['high', 'medium', 'low']).meta({ description: 'low: the documents hold no answer.' }),
});

/** What the query operation takes and answers. */
export const querySchema = {
  summary: 'Answer a question from the documents of a workspace',
  operationId: 'query',
  description:
    'Searches the workspace, writes an answer and stores both as a conversation. A successful request counts as one message of the month; with an `Idempotency-Key` a retry returns the stored answer and does not count again. Without a grounded answer it returns the fallback message with `confidence` `low`. Ends with `504 request_timeout` after 30 seconds.',
  tags: ['Query'],
  security: [{ apiKey: [] }],
  headers: idempotencyHeadersSchema,
  body: queryBody.meta({ examples: [{ query: 'How much does delivery to Germany cost?', top_k: 5 }] }),
  response: {
    200: queryResponse,
    ...errorResponses(
      'workspace_access_denied',
      'verification_required',
      'workspace_not_found',
      'conversation_not_found',
      'document_not_found',
      'duplicate_request_id',
      'invalid_idempotency_key',
      'quota_exhausted',
      'model_provider_error',
      'upstream_timeout',
      'provider_down',
      'request_timeout',
    ),
  },
};
