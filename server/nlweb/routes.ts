import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AskResult } from '../../core/answering/ask.ts';
import type { Runtime } from '../../core/runtime.ts';
import { errorResponses } from '../schemas/responses.ts';
import type { TypedApp } from '../typed-app.ts';
import { answerObjectRequest, sendObjectAnswer, siteOf } from './object-dialect.ts';
import {
  contractParameters,
  isProtocolRequest,
  parseProtocolRequest,
  protocolParameters,
} from './parameters.ts';
import { answerProtocolRequest, sendProtocolAnswer } from './protocol-answer.ts';
import { PublicAgent } from './public-agent.ts';
import { publicBaseUrl, publicWorkspace, workspaceParamsSchema } from './public-workspace.ts';
import { type askAnswerSchema, askBodySchema, askResponses } from './schema.ts';
import { askInThread, parseThread } from './thread.ts';

const getDiscoverySchema = {
  summary: 'What a workspace offers to agents, and where',
  operationId: 'discoverAgent',
  description:
    'Returns the name and description of the workspace and the addresses where agents ask it. Needs no key. Answers 404 unless the owner switched the public agent on.',
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  response: {
    200: z.object({
      name: z.string(),
      description: z.string(),
      ask_url: z.string().meta({ description: 'Takes questions.' }),
      mcp_url: z
        .string()
        .optional()
        .meta({ description: 'The Model Context Protocol server, where the owner turned it on.' }),
      protocol: z.literal('nlweb'),
      version: z.literal('v1'),
    }),
    ...errorResponses('workspace_not_found'),
  },
};

/** `GET /api/nlweb/{workspace_id}`. */
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
  summary: 'Ask a question in public, without a key',
  operationId: 'askAgent',
  description:
    "Answers from the documents without audience tags, in one JSON response or, where a request uses the parameters of the NLWeb protocol, in that protocol. Needs no key. One address may send 30 requests in 60 seconds, and each answer counts against the owner's month.",
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  body: askBodySchema,
  response: askResponses.ofBody,
};

/** `POST /api/nlweb/{workspace_id}/ask`. */
export function postAsk(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  app.post('/ask', { schema: postAskSchema }, async (request, reply) => {
    const { body } = request;
    const agent = new PublicAgent(runtime, { workspace: publicWorkspace.get(request), timeoutMs });
    const { query } = body;
    if (typeof query === 'object') {
      const asked = { ...body, query };
      logSite(request, siteOf(asked));
      return sendObjectAnswer(reply, await answerObjectRequest(agent, asked, request.id), asked);
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
  summary: 'Ask a question in public, as clients of the open NLWeb protocol do',
  operationId: 'askAgentByAddress',
  description: 'As `POST …/ask`, with the parameters in the address. The same limits apply.',
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  querystring: z.object({ ...contractParameters, ...protocolParameters }),
  response: askResponses.ofQuery,
};

/** `GET /api/nlweb/{workspace_id}/ask?query=…`. */
export function getAsk(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  // A HEAD request would be answered, and counted, for nothing.
  app.get('/ask', { schema: getAskSchema, exposeHeadRoute: false }, async (request, reply) => {
    const agent = new PublicAgent(runtime, { workspace: publicWorkspace.get(request), timeoutMs });
    const question = parseProtocolRequest(request.query);
    logSite(request, request.query.site);
    const answer = await answerProtocolRequest(agent, question, question.queryId ?? request.id);
    return sendProtocolAnswer(reply, answer, question.streaming);
  });
}

/** Where a question says that it was asked from: it is logged and changes nothing. */
function logSite(request: FastifyRequest, site: string | undefined): void {
  if (site !== undefined) request.log.info({ site }, 'asked from a site');
}

/** An answer, as section 2.11 of the API names its fields. */
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
  };
}
