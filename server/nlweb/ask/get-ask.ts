import { z } from 'zod';
import type { Runtime } from '../../../core/runtime.ts';
import { PublicAgent } from '../../public-agent.ts';
import type { TypedApp } from '../../typed-app.ts';
import { publicWorkspace } from '../public-workspace.ts';
import { answerUpstream } from '../upstream/answer-upstream.ts';
import { readUpstream } from '../upstream/read-upstream.ts';
import { sendUpstream } from '../upstream/send-upstream.ts';
import { upstreamFields } from '../upstream/upstream-fields.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { askFields } from './ask-fields.ts';
import { askResponses } from './ask-responses.ts';
import { logSite } from './log-site.ts';

const schema = {
  summary: 'Ask a question in public, as clients of the open NLWeb protocol do',
  operationId: 'askAgentByAddress',
  description: 'As `POST …/ask`, with the parameters in the address. The same limits apply.',
  tags: ['Public agent'],
  params: workspaceParamsSchema,
  querystring: z.object({ ...askFields, ...upstreamFields }),
  response: askResponses.ofQuery,
};

/** `GET /api/nlweb/{workspace_id}/ask?query=…`. */
export function getAsk(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  // A HEAD request would be answered, and counted, for nothing.
  app.get('/ask', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const agent = new PublicAgent(runtime, { workspace: publicWorkspace.of(request), timeoutMs });
    const question = readUpstream(request.query);
    logSite(request, request.query.site);
    const answer = await answerUpstream(agent, question, question.queryId ?? request.id);
    return sendUpstream(reply, answer, question.streaming);
  });
}
