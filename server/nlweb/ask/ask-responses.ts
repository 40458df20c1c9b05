import { z } from 'zod';
import { errorResponses } from '../../schemas/error-responses.ts';
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
      description: "The answer; in the form of upstream's protocol where one of its parameters is sent.",
      content: {
        'application/json': { schema: z.union([askAnswerSchema, upstreamAnswerSchema]) },
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
