import { z } from 'zod';
import { errorResponses } from '../../schemas/error-responses.ts';
import { objectAnswerSchema } from '../object-dialect.ts';
import { upstreamAnswerSchema } from '../upstream/upstream-answer-schema.ts';
import { askAnswerSchema } from './ask-answer-schema.ts';

const frames = z.string().meta({
  description: 'Lines `data: {"message_type": …}`: result_batch, summary or nlws by mode, then complete.',
});

const errors = errorResponses(
  'workspace_not_found',
  'missing_field',
  'message_too_long',
  'rate_limit_minute',
  'quota_exhausted',
  'model_provider_error',
  'upstream_timeout',
  'provider_down',
  'request_timeout',
);

/** What the two operations of the public agent answer. */
export const askResponses = {
  ofBody: {
    200: {
      description:
        'The answer, in the dialect of the request: the documented one; NLWeb where a parameter of that protocol is ' +
        'sent; NLWeb since 0.5 where query is an object.',
      content: {
        'application/json': { schema: z.union([askAnswerSchema, upstreamAnswerSchema, objectAnswerSchema]) },
        'text/event-stream': { schema: frames },
      },
    },
    ...errors,
  },
  ofQuery: {
    200: {
      description: 'The answer in the form of the NLWeb protocol.',
      content: {
        'application/json': { schema: upstreamAnswerSchema },
        'text/event-stream': { schema: frames },
      },
    },
    ...errors,
  },
};
