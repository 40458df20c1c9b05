import { z } from 'zod';
import { questionSchema } from '../schemas/fields.ts';
import { errorResponses } from '../schemas/responses.ts';
import { objectAnswerSchema, objectDialectFields, questionObjectSchema } from './object-dialect.ts';
import { contractParameters, protocolParameters } from './parameters.ts';
import { certaintySchema, protocolAnswerSchema } from './protocol-answer.ts';
import { previousResponsesSchema } from './thread.ts';

export const askBodySchema = z.object({
  ...contractParameters,
  query: z.union([questionSchema, questionObjectSchema]).meta({
    description: 'A string, or an object as NLWeb clients since version 0.5 send it.',
  }),
  previous_responses: previousResponsesSchema.default([]),
  ...protocolParameters,
  ...objectDialectFields,
});

/** The complete answer in one response, as the API documents it. */
export const askAnswerSchema = z
  .object({
    answer: z.string(),
    answer_type: z.literal('text'),
    sources: z
      .array(
        z.object({
          name: z.string(),
          snippet: z.string(),
          relevance: z.number().meta({ minimum: 0, maximum: 1 }),
        }),
      )
      .max(5),
    conversation_id: z.string(),
    ...certaintySchema.shape,
  })
  .meta({ id: 'PublicAnswer' });

const frames = z.string().meta({
  description:
    'Lines of the form `data: {"message_type": …}`: result_batch, summary or nlws depending on the mode, then complete.',
});

const errors = errorResponses(
  'workspace_not_found',
  'missing_field',
  'message_too_long',
  'rate_limit_minute',
  'quota_exhausted',
  'model_provider_error',
  'upstream_timeout',
  'storage_unavailable',
  'provider_down',
  'request_timeout',
);

/** The responses of the two operations of the public agent. */
export const askResponses = {
  ofBody: {
    200: {
      description:
        'The answer, in the format of the request: the documented one, NLWeb if a parameter of that protocol is ' +
        'sent, or NLWeb since 0.5 if query is an object.',
      content: {
        'application/json': { schema: z.union([askAnswerSchema, protocolAnswerSchema, objectAnswerSchema]) },
        'text/event-stream': { schema: frames },
      },
    },
    ...errors,
  },
  ofQuery: {
    200: {
      description: 'The answer in the format of the NLWeb protocol.',
      content: {
        'application/json': { schema: protocolAnswerSchema },
        'text/event-stream': { schema: frames },
      },
    },
    ...errors,
  },
};
