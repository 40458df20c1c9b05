import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { EarlierTurn, Source } from '../../core/contract/answer.ts';
import { detectLanguage } from '../../core/language/language.ts';
import { fallbackMessage, ownFallbackMessage } from '../../core/language/localised-texts.ts';
import { boundedString, questionSchema } from '../schemas/fields.ts';
import type { ProtocolMode } from './parameters.ts';
import { flagSchema, modeSchema, previousQueriesSchema } from './parameters.ts';
import { findMatches, presentCertainty, presentProtocolResult } from './protocol-answer.ts';
import type { PublicAgent } from './public-agent.ts';
import { askInThread } from './thread.ts';

/**
 * The NLWeb protocol since version 0.5, in which the question is an object
 * (https://github.com/nlweb-ai/nlweb-typespec, models of nlweb-ask-agent). In earlier versions `query` is a
 * string.
 */
const protocolVersion = '0.54';

const siteSchema = boundedString({ max: 2_000 });

export const questionObjectSchema = z.looseObject({
  text: questionSchema,
  decontextualized_query: boundedString({ max: 4_000 }, z.string().trim()).optional(),
  site: z
    .union([siteSchema, z.array(siteSchema).max(50)])
    .optional()
    .meta({ description: 'Logged only. The URL determines the workspace.' }),
  max_results: z.int().min(1).max(100).optional(),
  min_score: z.int().min(0).max(100).optional(),
});

const contextSchema = z.looseObject({
  prev: previousQueriesSchema.optional().meta({ description: 'Earlier questions, oldest first.' }),
  text: z.string().max(20_000).optional().meta({ description: 'The topic of the question, in a sentence.' }),
});

const preferSchema = z.looseObject({
  streaming: flagSchema
    .optional()
    .meta({ description: 'true (default) returns server-sent events, false one JSON object.' }),
  response_format: z.string().max(100).optional().meta({
    description:
      'conv_search returns `results`. chatgpt_app returns `content` and `structuredData`. Defaults to all of them.',
  }),
  mode: modeSchema.optional(),
  'accept-language': z.string().max(200).optional(),
});

const metaSchema = z.looseObject({
  session_context: z
    .looseObject({ conversation_id: z.string().max(200).nullish() })
    .nullish()
    .meta({ description: 'The session_context of an earlier answer, to continue its conversation.' }),
});

/** The fields next to a `query` that is an object. */
export const objectDialectFields = {
  context: contextSchema.optional(),
  prefer: preferSchema.optional(),
  meta: metaSchema.optional(),
};

const resultObjectSchema = z.looseObject({ '@type': z.string() });

export const objectAnswerSchema = z
  .object({
    _meta: z.object({
      response_type: z.literal('Answer'),
      response_format: z.string().optional(),
      version: z.string(),
      request_id: z.string(),
      session_context: z.object({ conversation_id: z.string() }).optional(),
    }),
    results: z.array(resultObjectSchema).optional(),
    content: z.array(z.object({ type: z.literal('text'), text: z.string() })).optional(),
    structuredData: z.array(resultObjectSchema).optional(),
  })
  .meta({ id: 'NlwebObjectAnswer' });

type ObjectAnswer = z.output<typeof objectAnswerSchema>;

interface ObjectRequest extends z.output<z.ZodObject<typeof objectDialectFields>> {
  readonly query: z.output<typeof questionObjectSchema>;
}

interface Found {
  /** The generated text, with how sure it is; null in list mode. */
  readonly answer: { readonly text: string; readonly certainty: object } | null;
  readonly sources: readonly Source[];
  readonly conversationId: string | null;
}

/** Answers a request whose `query` is an object, in the format of that protocol version. */
export async function answerObjectRequest(
  agent: PublicAgent,
  request: ObjectRequest,
  requestId: string,
): Promise<ObjectAnswer> {
  const { query, prefer, meta } = request;
  const mode = prefer?.mode ?? 'list';
  const question = {
    text: query.decontextualized_query || query.text,
    earlierTurns: query.decontextualized_query ? [] : earlierTurns(request),
    locale: localeOf(prefer?.['accept-language']),
  };
  const conversationId = meta?.session_context?.conversation_id ?? null;
  const found =
    mode === 'list'
      ? { answer: null, sources: await findMatches(agent, question), conversationId: null }
      : await generate(agent, { ...question, conversationId });
  const sources = found.sources
    .filter(({ score }) => score * 100 >= (query.min_score ?? 0))
    .slice(0, query.max_results);
  const emptyText = () => {
    const language = question.locale ?? detectLanguage(question.text).code;
    const own = ownFallbackMessage(agent.workspace.settings, language);
    return own ?? fallbackMessage(question.text, question.locale);
  };
  return renderAnswer(
    { ...found, sources },
    { agent, mode, format: prefer?.response_format, requestId, emptyText },
  );
}

/** Sends an answer as server-sent events, starting with the metadata, or as one JSON object. */
export function sendObjectAnswer(
  reply: FastifyReply,
  answer: ObjectAnswer,
  { prefer }: ObjectRequest,
): FastifyReply {
  if (prefer?.streaming === false) return reply.type('application/json; charset=utf-8').send(answer);
  const { _meta, ...body } = answer;
  const frames = [{ _meta }, body].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(frames.join(''));
}

/** Returns the site that the request was sent from; undefined if it is not given. */
export function siteOf({ query }: ObjectRequest): string | undefined {
  return query.site === undefined ? undefined : [query.site].flat().join(', ');
}

async function generate(agent: PublicAgent, question: Parameters<typeof askInThread>[1]): Promise<Found> {
  const { answer, conversationId } = await askInThread(agent, question);
  return {
    answer: { text: answer.text, certainty: presentCertainty(answer) },
    sources: answer.sources,
    conversationId,
  };
}

interface Rendering {
  readonly agent: PublicAgent;
  readonly mode: ProtocolMode;
  readonly format: string | undefined;
  readonly requestId: string;
  /** Returns the sentence for an empty list. */
  readonly emptyText: () => string;
}

function renderAnswer(found: Found, { agent, mode, format, requestId, emptyText }: Rendering): ObjectAnswer {
  const objects = found.sources.map((source) => renderSource(source, agent.workspace.name));
  const written =
    found.answer === null
      ? []
      : [
          {
            '@type': mode === 'summarize' ? 'Summary' : 'Answer',
            text: found.answer.text,
            ...found.answer.certainty,
          },
        ];
  const passages = found.sources.map(({ title, chunk }) => `${title}: ${chunk}`);
  const texts = found.answer === null ? passages : [found.answer.text];
  return {
    _meta: {
      response_type: 'Answer',
      ...(format === undefined ? {} : { response_format: format }),
      version: protocolVersion,
      request_id: requestId,
      ...(found.conversationId === null
        ? {}
        : { session_context: { conversation_id: found.conversationId } }),
    },
    ...(format === 'chatgpt_app' ? {} : { results: [...written, ...objects] }),
    ...(format === 'conv_search'
      ? {}
      : {
          content: (texts.length === 0 ? [emptyText()] : texts).map((text) => ({
            type: 'text' as const,
            text,
          })),
          structuredData: objects,
        }),
  };
}

/** Renders a passage as a schema.org object with its source. */
function renderSource(source: Source, siteName: string) {
  const { schema_object, ...match } = presentProtocolResult(source, siteName);
  const { text: _, ...object } = schema_object;
  return {
    ...object,
    '@type': 'CreativeWork',
    ...match,
    grounding: { source_urls: source.url === null ? [] : [source.url] },
  };
}

const maxEarlierTurns = 4;
const turnCharacters = 1_000;

function earlierTurns({ context }: ObjectRequest): readonly EarlierTurn[] {
  const previous = (context?.prev ?? []).slice(-maxEarlierTurns);
  return [context?.text ?? '', ...previous]
    .map((text) => text.trim().slice(0, turnCharacters))
    .filter((text) => text !== '')
    .map((question) => ({ question, answer: null }));
}

/** Returns the first language of an Accept-Language header as an ISO 639-1 code; null if there is none. */
function localeOf(languages: string | undefined): string | null {
  return /^\s*([A-Za-z]{2})(?![A-Za-z])/.exec(languages ?? '')?.[1]?.toLowerCase() ?? null;
}
