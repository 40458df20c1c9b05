import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { toSource } from '../../core/answering/answer.ts';
import type { Answer, Source } from '../../core/contract/answer.ts';
import { searchRules } from '../../core/knowledge/rules.ts';
import { presentGrounds } from '../v1/query/present.ts';
import { groundsSchema } from '../v1/query/schema.ts';
import type { ProtocolRequest } from './parameters.ts';
import type { PublicAgent } from './public-agent.ts';

const results = z.array(
  z.object({
    url: z.string(),
    name: z.string(),
    site: z.string(),
    score: z.int().meta({ minimum: 0, maximum: 100 }),
    description: z.string(),
    schema_object: z.record(z.string(), z.unknown()).meta({ description: 'A schema.org object as JSON-LD.' }),
  }),
);

/** How sure an answer is. The protocol has no such fields; its clients ignore what they do not know. */
export const certaintySchema = groundsSchema.pick({ tier: true, probability: true });

export function presentCertainty(answer: Answer): z.output<typeof certaintySchema> {
  const { tier, probability } = presentGrounds(answer);
  return { tier, probability };
}

/** The answer in the format of the open NLWeb protocol. */
export const protocolAnswerSchema = z
  .object({
    query_id: z.string(),
    results,
    summary: z.string().optional().meta({ description: 'With mode summarize only.' }),
    answer: z.string().optional().meta({ description: 'With mode generate only.' }),
    items: results
      .optional()
      .meta({ description: 'With mode generate only: the passages that the answer is based on.' }),
    ...certaintySchema.partial().shape,
  })
  .meta({ id: 'NlwebAnswer' });

type ProtocolAnswer = z.output<typeof protocolAnswerSchema>;
type ProtocolResult = ProtocolAnswer['results'][number];

const maxListed = 10;

/** Answers in the format of the open NLWeb protocol, with the id `queryId`. */
export async function answerProtocolRequest(
  agent: PublicAgent,
  request: ProtocolRequest,
  queryId: string,
): Promise<ProtocolAnswer> {
  const resultsOf = (sources: readonly Source[]) =>
    sources.map((source) => presentProtocolResult(source, agent.workspace.name));
  if (request.mode === 'list')
    return { query_id: queryId, results: resultsOf(await findMatches(agent, request)) };
  const { answer } = await agent.ask({ ...request, conversationId: null });
  const results = resultsOf(answer.sources);
  const common = { query_id: queryId, results, ...presentCertainty(answer) };
  return request.mode === 'summarize'
    ? { ...common, summary: answer.text }
    : { ...common, answer: answer.text, items: results };
}

/** Returns the best passage of each related document, best first, at most ten. */
export async function findMatches(
  agent: PublicAgent,
  request: Pick<ProtocolRequest, 'text' | 'earlierTurns'>,
): Promise<readonly Source[]> {
  const ranked = await agent.search(request);
  const related = ranked.filter(({ score }) => score >= searchRules.relatedThreshold);
  const best = new Map(related.toReversed().map((chunk) => [chunk.documentId, chunk]));
  return [...best.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, maxListed)
    .map(toSource);
}

/**
 * Converts a passage to a result of the open NLWeb protocol. A document without a URL gets a URN with its id.
 */
export function presentProtocolResult(source: Source, siteName: string): ProtocolResult {
  const url = source.url ?? `urn:parley:document:${source.documentId}`;
  return {
    url,
    name: source.title,
    site: URL.parse(source.url ?? '')?.hostname ?? siteName,
    score: Math.round(source.score * 100),
    description: source.chunk,
    schema_object: {
      '@context': 'https://schema.org',
      '@type': 'CreativeWork',
      '@id': url,
      ...(source.url === null ? {} : { url }),
      name: source.title,
      text: source.chunk,
    },
  };
}

/** Sends the answer as events or as one JSON object. */
export function sendProtocolAnswer(
  reply: FastifyReply,
  answer: ProtocolAnswer,
  streaming: boolean,
): FastifyReply {
  if (!streaming) return reply.type('application/json; charset=utf-8').send(answer);
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(renderProtocolFrames(answer));
}

/** Renders an answer as the server-sent events of the open NLWeb protocol. */
function renderProtocolFrames(answer: ProtocolAnswer): string {
  const { query_id } = answer;
  return toProtocolMessages(answer)
    .map((message) => `data: ${JSON.stringify({ ...message, query_id })}\n\n`)
    .join('');
}

function toProtocolMessages(given: ProtocolAnswer): readonly object[] {
  const { results, summary, answer, items, tier, probability } = given;
  const complete = { message_type: 'complete' };
  if (answer !== undefined) return [{ message_type: 'nlws', answer, items, tier, probability }, complete];
  const found = results.length === 0 ? [] : [{ message_type: 'result_batch', results }];
  if (summary === undefined) return [...found, complete];
  return [...found, { message_type: 'summary', message: summary, tier, probability }, complete];
}
