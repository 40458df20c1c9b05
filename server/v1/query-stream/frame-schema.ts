import { z } from 'zod';
import { stages } from '../../../core/answering/answer-listener.ts';
import type { ErrorCode } from '../../../core/errors.ts';
import { querySchema } from '../query/schema.ts';

const statusFrame = z
  .object({
    event: z.literal('status'),
    stage: z.enum(stages),
    text: z.string().meta({ description: 'What goes on, for people.' }),
  })
  .meta({ id: 'StatusFrame', description: 'One at the beginning of each stage, in their order.' });

const tokenFrame = z
  .object({ token: z.string(), done: z.literal(false) })
  .meta({ id: 'TokenFrame', description: 'A piece of the answer: all of them, joined, are the answer.' });

const finalFrame = querySchema.response[200]
  .omit({ answer: true, latency_ms: true })
  .extend({ token: z.literal(''), done: z.literal(true) })
  .meta({ id: 'FinalFrame', description: 'The last frame of an answer that is whole and stored.' });

/** What may still go wrong when the answer has begun. */
const lateErrors: readonly ErrorCode[] = [
  'conversation_not_found',
  'internal_error',
  'model_provider_error',
  'upstream_timeout',
  'provider_down',
  'deploying',
  'request_timeout',
];

const errorFrame = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for people.' }),
    done: z.literal(true),
    code: z.string().meta({ enum: [...lateErrors], description: 'What is wrong, for programs.' }),
    request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
  })
  .meta({ id: 'ErrorFrame', description: 'The last frame of an answer that failed.' });

/** What stands in one `data:` line of the stream. */
export const frameSchema = z.union([statusFrame, tokenFrame, finalFrame, errorFrame]).meta({
  description: 'The JSON of one event, `data: <json>` on a line of its own and a blank line after it.',
});

export type StatusFrame = z.output<typeof statusFrame>;
export type FinalFrame = z.output<typeof finalFrame>;
export type ErrorFrame = z.output<typeof errorFrame>;
