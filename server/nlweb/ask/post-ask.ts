import type { Runtime } from '../../../core/runtime.ts';
import { PublicAgent } from '../../public-agent.ts';
import type { TypedApp } from '../../typed-app.ts';
import { answerObjectRequest, sendObjectAnswer, siteOf } from '../object-dialect.ts';
import { publicWorkspace } from '../public-workspace.ts';
import { answerUpstream } from '../upstream/answer-upstream.ts';
import { isUpstream } from '../upstream/is-upstream.ts';
import { readUpstream } from '../upstream/read-upstream.ts';
import { sendUpstream } from '../upstream/send-upstream.ts';
import { workspaceParamsSchema } from '../workspace-params-schema.ts';
import { askBodySchema } from './ask-body-schema.ts';
import { askInThread } from './ask-in-thread.ts';
import { askResponses } from './ask-responses.ts';
import { logSite } from './log-site.ts';
import { presentAsk } from './present-ask.ts';
import { readThread } from './read-thread.ts';

const schema = {
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
  app.post('/ask', { schema }, async (request, reply) => {
    const { body } = request;
    const agent = new PublicAgent(runtime, { workspace: publicWorkspace.of(request), timeoutMs });
    const { query } = body;
    if (typeof query === 'object') {
      const asked = { ...body, query };
      logSite(request, siteOf(asked));
      return sendObjectAnswer(reply, await answerObjectRequest(agent, asked, request.id), asked);
    }
    const thread = readThread(body.previous_responses, query);
    logSite(request, body.site);
    if (isUpstream(body)) {
      const question = readUpstream({ ...body, query }, thread.earlierTurns);
      const answer = await answerUpstream(agent, question, question.queryId ?? request.id);
      return sendUpstream(reply, answer, question.streaming);
    }
    return presentAsk(await askInThread(agent, { ...thread, text: query, locale: body.locale ?? null }));
  });
}
