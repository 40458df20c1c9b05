import { ask } from '../../../core/answering/ask.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { workspaceForKey } from '../../../core/workspaces/workspace-for-key.ts';
import { admitted } from '../../plugins/admitted.ts';
import { refundMessage } from '../../plugins/refund-message.ts';
import type { TypedApp } from '../../typed-app.ts';
import { readQuestion } from '../query/read-question.ts';
import { AnswerStream, type AnswerStreamOptions } from './answer-stream.ts';
import { presentFinal } from './present-final.ts';
import { queryStreamSchema } from './schema.ts';

/** `POST /v1/query/stream`: the answer as server-sent events, while it is written. */
export function postQueryStream(
  app: TypedApp,
  runtime: Runtime,
  options: Omit<AnswerStreamOptions, 'refund'>,
): void {
  const config = { countsMessage: true };
  app.post('/query/stream', { schema: queryStreamSchema, config }, async (request, reply) => {
    const { holder } = admitted.of(request);
    const refund = () => refundMessage(runtime, request);
    const stream = new AnswerStream(request, reply, { ...options, refund });
    await stream.run(async () => {
      const workspace = await workspaceForKey(runtime.workspaces, holder, request.body.workspace_id);
      const question = { ...readQuestion(request.body), workspace, channel: 'api' };
      return presentFinal(await ask(runtime, question, { signal: stream.signal, listener: stream }));
    });
  });
}
