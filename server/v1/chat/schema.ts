import { z } from 'zod';
import { boundedString, workspaceIdSchema } from '../../schemas/fields.ts';
import { errorResponses, withErrorCode } from '../../schemas/responses.ts';
import { sourceSchema } from '../query/schema.ts';
import { simulationText } from '../simulation.ts';

/** The only model: the answers of a workspace. */
export const chatModel = 'parley';

const textPart = z.object({ type: z.literal('text'), text: z.string() });

const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z
    .union([z.string(), z.array(textPart).max(100)])
    .nullish()
    .meta({ description: 'A text, or parts of type `text`.' }),
});

/** The messages of a thread. Callers send all of them each time. */
export type ChatMessage = z.output<typeof messageSchema>;

const chatBody = z.object({
  model: z
    .string()
    .refine((name) => name === chatModel, withErrorCode('invalid_model'))
    .meta({ enum: [chatModel] }),
  messages: z.array(messageSchema).min(1).max(200).meta({
    description:
      'The thread. The last message of the user is the question; earlier ones help to understand it. Messages of other roles do not change how Parley answers.',
  }),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).nullish().meta({ description: 'Above 1 counts as 1.' }),
  user: z.string().max(200).nullish().meta({ description: 'The session of the visitor, as `session_id`.' }),
  metadata: z.record(z.string(), z.string()).nullish(),
  tools: z
    .array(z.unknown())
    .max(0)
    .nullish()
    .meta({ description: 'Refused: skills belong to the workspace.' }),
  workspace_id: workspaceIdSchema.optional().meta({ description: 'Defaults to the workspace of the key.' }),
  conversation_id: boundedString({ max: 200 }).optional().meta({
    description:
      'Continues a conversation, whose own messages then count instead of the earlier ones of the thread.',
  }),
});

export type ChatBody = z.output<typeof chatBody>;

/** The parts of an answer that the dialect has no field for. */
const groundsSchema = z
  .object({
    conversation_id: z.string(),
    message_id: z.string(),
    confidence: z.enum(['high', 'medium', 'low']),
    sources: z.array(sourceSchema),
    skills_fired: z.array(z.string()),
  })
  .meta({ id: 'ChatGrounds' });

const usageSchema = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .meta({
    id: 'ChatUsage',
    description:
      'The tokens of language models. All count as `prompt_tokens`, because they are counted together.',
  });

const annotationSchema = z
  .object({
    type: z.literal('url_citation'),
    url_citation: z.object({ start_index: z.int(), end_index: z.int(), title: z.string(), url: z.string() }),
  })
  .meta({
    id: 'UrlCitation',
    description: 'A sentence of the answer and the address of the page it rests on.',
  });

const headSchema = z.object({
  id: z.string().meta({ description: 'The id of the answer; of chunks, that of the request.' }),
  created: z.int().meta({ description: 'Unix time in seconds.' }),
  model: z.string(),
});

const completionSchema = headSchema.extend({
  object: z.literal('chat.completion'),
  choices: z.array(
    z.object({
      index: z.literal(0),
      finish_reason: z.literal('stop'),
      logprobs: z.null(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null(),
        annotations: z.array(annotationSchema),
      }),
    }),
  ),
  usage: usageSchema,
  parley: groundsSchema,
});

export type ChatCompletion = z.output<typeof completionSchema>;

const chunkSchema = headSchema.extend({
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.object({
      index: z.literal(0),
      delta: z.object({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        annotations: z.array(annotationSchema).optional(),
      }),
      logprobs: z.null(),
      finish_reason: z.literal('stop').nullable(),
    }),
  ),
  usage: usageSchema.nullish(),
  parley: groundsSchema.optional().meta({ description: 'In the last chunk with a choice.' }),
});

export type ChatChunk = z.output<typeof chunkSchema>;

export const chatSchema = {
  summary: 'Answer in the dialect of OpenAI’s chat completions',
  operationId: 'createChatCompletion',
  description:
    'Answers the last message of the user from the documents, as `POST /v1/query` does, for clients that speak this dialect. It counts and is limited in the same way. Fields that are not listed are ignored. With `stream`, chunks follow as server-sent events, and `data: [DONE]` at the end. Without `conversation_id` each call begins a conversation. ' +
    simulationText,
  tags: ['Query'],
  security: [{ apiKey: [] }],
  body: chatBody.meta({
    examples: [{ model: chatModel, messages: [{ role: 'user', content: 'How long may I send it back?' }] }],
  }),
  response: {
    200: {
      description: 'The answer, or its chunks.',
      content: {
        'application/json': { schema: completionSchema },
        'text/event-stream': { schema: chunkSchema },
      },
    },
    ...errorResponses(
      'workspace_access_denied',
      'verification_required',
      'workspace_not_found',
      'conversation_not_found',
      'message_too_long',
      'quota_exhausted',
      'request_timeout',
      'model_provider_error',
      'upstream_timeout',
      'provider_down',
    ),
  },
};

export const modelsSchema = {
  summary: 'List the models of the chat completions',
  operationId: 'listModels',
  description: 'Returns one model, `parley`: the answers of the workspace of the key.',
  tags: ['Query'],
  security: [{ apiKey: [] }],
  response: {
    200: z.object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          id: z.string(),
          object: z.literal('model'),
          created: z.int(),
          owned_by: z.string().meta({ description: 'The id of the workspace.' }),
        }),
      ),
    }),
  },
};
