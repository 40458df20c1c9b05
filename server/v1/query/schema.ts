import { z } from 'zod';
import { METADATA_BYTES } from '../../../core/contract/conversation-values.ts';
import {
  audienceSchema,
  boundedString,
  documentIdsSchema,
  questionSchema,
  workspaceIdSchema,
} from '../../schemas/fields.ts';
import { errorResponses } from '../../schemas/responses.ts';
import { simulationText } from '../simulation.ts';
import { identitySchema } from './identity.ts';

/** The headers of an idempotent route. Other headers pass. */
export const idempotencyHeadersSchema = z.looseObject({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'Identifies the request for 24 hours: a retry with the same key returns the same response and counts once.',
  }),
});

const scoreSchema = z.number().meta({ minimum: 0, maximum: 1 });

/** A passage that supports an answer, with the field names of both documented variants. */
export const sourceSchema = z
  .object({
    document_id: z.string(),
    chunk_id: z.string(),
    title: z.string(),
    document_name: z.string().meta({ description: 'The same as title.' }),
    url: z.string().nullable(),
    headings: z.array(z.string()).meta({
      description: 'The headings above the passage, outermost first, without the title.',
    }),
    changed_at: z.iso.datetime().nullable().meta({
      description:
        'When the document was changed last, as the answer was written. Null if a language model wrote it, and for passages that no section of the answer is near.',
    }),
    chunk: z.string().meta({ description: 'The exact text of the passage.' }),
    chunk_text: z.string().meta({ description: 'The same as chunk.' }),
    place: z
      .object({
        kind: z.enum(['page', 'slide', 'rows']),
        label: z.string().meta({ description: 'In words: `page 112`. In German for a German passage.' }),
        from: z.int().meta({ description: 'The first page, slide or row, from 1.' }),
        to: z.int().meta({ description: 'The last page, slide or row.' }),
        sheet: z.string().nullable().meta({ description: 'rows: the name of the sheet.' }),
        url: z.string().nullable().meta({ description: 'The address of the document at this place.' }),
      })
      .nullable()
      .meta({ description: 'Where in its document the passage stands. Null if the format does not tell.' }),
    score: scoreSchema,
    relevance_score: scoreSchema.meta({ minimum: 0, maximum: 1, description: 'The same as score.' }),
  })
  .meta({ id: 'Source' });

/** A sentence of an answer and the passages that it rests on. */
export const citationSchema = z
  .object({
    start: z.int(),
    end: z.int(),
    chunk_ids: z
      .array(z.string())
      .meta({ description: 'The `chunk_id` of each passage; all are in `sources`.' }),
  })
  .meta({
    id: 'Citation',
    description:
      'A sentence of the answer and the passages that it rests on. `start` and `end` are offsets into the text of the answer in UTF-16 code units, as in `text.slice(start, end)` of JavaScript.',
  });

/** How an answer presents itself, and where its text comes from. */
export const groundsSchema = z.object({
  tier: z.enum(['answer', 'maybe', 'none']).meta({
    description:
      'maybe shows a section that may be the answer and says so. none is the fallback, or text that no document supports.',
  }),
  probability: z.number().min(0).max(1).nullable().meta({
    description:
      'The calibrated probability that the answer is right. Null if a language model wrote it, and for courtesies and skills.',
  }),
  ai_generated: z.boolean().meta({ description: 'Whether a language model wrote any of the text.' }),
  quoted: z.boolean().meta({ description: 'Whether the text is quoted from documents.' }),
  lead: z.string().nullable().meta({
    description:
      'The sentence, list item or table row that answers, for displays without room for more. Null: the answer itself.',
  }),
});

const queryBody = z.object({
  workspace_id: workspaceIdSchema.optional().meta({ description: 'Defaults to the workspace of the key.' }),
  query: questionSchema,
  conversation_id: z
    .string()
    .optional()
    .meta({ description: 'Continues a conversation. If it is absent, null or empty, a new one starts.' }),
  top_k: z.number().int().min(1).max(20).optional().meta({
    default: 5,
    description:
      'The maximum number of found passages that the answer may use. A quoted one is shown with its whole section. If it is absent and a language model answers, up to 30. A model reads at most 6,000 characters of them.',
  }),
  temperature: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'How freely the language model phrases the answer.' }),
  strictness: z
    .enum(['strict', 'fallback'])
    .optional()
    .meta({
      description:
        'strict answers from the documents only. fallback lets the language model answer from general knowledge if ' +
        'they contain no answer, with confidence low. Defaults to the setting of the workspace.',
    }),
  audience: audienceSchema.default([]),
  document_ids: documentIdsSchema
    .optional()
    .meta({ description: 'Restricts the search to these documents.' }),
  session_id: boundedString({ max: 200 }).optional(),
  ...identitySchema.shape,
  metadata: z
    .record(z.string(), z.unknown())
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_BYTES)
    .optional()
    .meta({
      description:
        'Free context, such as page_url. It is stored with the question and does not influence the answer. At most 16 KB of JSON, ' +
        'otherwise `422 invalid_metadata`.',
    }),
});

const queryResponse = z.object({
  answer: z.string(),
  sources: z.array(sourceSchema).max(5),
  citations: z.array(citationSchema).meta({
    description:
      'Which sentence rests on which passage, in order. Empty for small talk and the fallback message.',
  }),
  conversation_id: z.string(),
  message_id: z.string(),
  query_id: z.string().meta({ description: 'The same as message_id.' }),
  tokens_used: z.int(),
  skills_fired: z.array(z.string()),
  latency_ms: z.int(),
  confidence: z
    .enum(['high', 'medium', 'low'])
    .meta({ description: 'low means that the documents contain no answer, or that the answer is unsure.' }),
  ...groundsSchema.shape,
});

/** The schema of the query operation. */
export const querySchema = {
  summary: 'Answer a question from the documents of a workspace',
  operationId: 'query',
  description:
    'Searches the workspace, writes an answer and stores both as a conversation. A successful request counts as one message of the month. With an `Idempotency-Key`, a retry returns the stored answer and does not count again. If no grounded answer is found, the response is the fallback message with `confidence` `low`. A request that takes longer than 30 seconds ends with `504 request_timeout`. ' +
    simulationText,
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
      'storage_unavailable',
      'provider_down',
      'request_timeout',
    ),
  },
};
