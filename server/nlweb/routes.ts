import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AskResult } from '../../core/answering/ask.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { errorResponses } from '../schemas/responses.ts';
import type { TypedApp } from '../typed-app.ts';
import { answerObjectRequest, sendObjectAnswer, siteOf } from './object-dialect.ts';
import {
  contractParameters,
  isProtocolRequest,
  parseProtocolRequest,
  protocolParameters,
} from './parameters.ts';
import { answerProtocolRequest, presentCertainty, sendProtocolAnswer } from './protocol-answer.ts';
import { PublicAgent } from './public-agent.ts';
import { publicBaseUrl, publicWorkspace, workspaceParamsSchema } from './public-workspace.ts';
import { type askAnswerSchema, askBodySchema, askResponses } from './schema.ts';
import { askInThread, parseThread } from './thread.ts';

const getDiscoverySchema = {
  summary: 'Discover the public agent of a workspace',
  operationId: 'discoverAgent',
  description:
    'Returns the name and description of the workspace and the URLs of its public agent. Needs no key. Returns 404 unless the owner has enabled the public agent.',
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      name: z.string(),
      description: z.string(),
      ask_url: z.string().meta({ description: 'The URL for questions.' }),
      mcp_url: z.string().optional().meta({
        description: 'The URL of the Model Context Protocol server. Absent unless the owner has enabled it.',
      }),
      protocol: z.literal('nlweb'),
      version: z.literal('v1'),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

export function getDiscovery(app: TypedApp, { config }: Runtime): void {
  app.get('', { schema: getDiscoverySchema }, async (request) => {
    const { id, name, settings } = publicWorkspace.get(request);
    const base = `${publicBaseUrl(config, request)}/api/nlweb/${id}`;
    return {
      name,
      description: settings.description ?? `Answers questions from the documents of ${name}.`,
      ask_url: `${base}/ask`,
      ...(settings.mcp_enabled === true ? { mcp_url: `${base}/mcp` } : {}),
      protocol: 'nlweb' as const,
      version: 'v1' as const,
    };
  });
}

const postAskSchema = {
  summary: 'Ask a public question without a key',
  operationId: 'askAgent',
  description:
    "Answers from the documents without audience tags. The response is one JSON object, or follows the NLWeb protocol if the request uses its parameters. Needs no key. An IP address can send 30 requests in 60 seconds, and each answer counts towards the owner's monthly quota.",
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  body: askBodySchema,
  response: askResponses.ofBody,
};

export function postAsk(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  app.post('/ask', { schema: postAskSchema }, async (request, reply) => {
    const { body } = request;
    const agent = new PublicAgent(runtime, { workspace: publicWorkspace.get(request), timeoutMs });
    const { query } = body;
    if (typeof query === 'object') {
      const objectRequest = { ...body, query };
      logSite(request, siteOf(objectRequest));
      return sendObjectAnswer(
        reply,
        await answerObjectRequest(agent, objectRequest, request.id),
        objectRequest,
      );
    }
    const thread = parseThread(body.previous_responses, query);
    logSite(request, body.site);
    if (isProtocolRequest(body)) {
      const question = parseProtocolRequest({ ...body, query }, thread.earlierTurns);
      const answer = await answerProtocolRequest(agent, question, question.queryId ?? request.id);
      return sendProtocolAnswer(reply, answer, question.streaming);
    }
    return presentAsk(await askInThread(agent, { ...thread, text: query, locale: body.locale ?? null }));
  });
}

const getAskSchema = {
  summary: 'Ask a public question in the format of the open NLWeb protocol',
  operationId: 'askAgentByAddress',
  description: 'Like `POST …/ask`, with the parameters in the query string. The same limits apply.',
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  querystring: z.object({ ...contractParameters, ...protocolParameters }),
  response: askResponses.ofQuery,
};

export function getAsk(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  // A HEAD request would generate and count an answer that it cannot return.
  app.get('/ask', { schema: getAskSchema, exposeHeadRoute: false }, async (request, reply) => {
    const agent = new PublicAgent(runtime, { workspace: publicWorkspace.get(request), timeoutMs });
    const question = parseProtocolRequest(request.query);
    logSite(request, request.query.site);
    const answer = await answerProtocolRequest(agent, question, question.queryId ?? request.id);
    return sendProtocolAnswer(reply, answer, question.streaming);
  });
}

/** Logs the site that the question was sent from. It has no other effect. */
function logSite(request: FastifyRequest, site: string | undefined): void {
  if (site !== undefined) request.log.info({ site }, 'public question site');
}

/** The response with the field names of section 2.11 of the API. */
function presentAsk({ answer, conversationId }: AskResult): z.output<typeof askAnswerSchema> {
  return {
    answer: answer.text,
    answer_type: 'text',
    sources: answer.sources.map(({ title, chunk, score }) => ({
      name: title,
      snippet: chunk,
      relevance: score,
    })),
    conversation_id: conversationId,
    ...presentCertainty(answer),
  };
}
