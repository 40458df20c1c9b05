import { ask } from '../../../core/answering/ask.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { workspaceForKey } from '../../../core/workspaces/workspace-for-key.ts';
import { admitted } from '../../plugins/admitted.ts';
import { keepAnswer } from '../../plugins/keep-answer.ts';
import type { TypedApp } from '../../typed-app.ts';
import { withinDeadline } from '../../within-deadline.ts';
import { presentAnswer } from './present-answer.ts';
import { readQuestion } from './read-question.ts';
import { querySchema } from './schema.ts';

/** `POST /v1/query`: a whole answer in one response, within `timeoutMs`. */
export function postQuery(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  const config = { countsMessage: true, idempotent: true };
  app.post('/query', { schema: querySchema, config }, async (request, reply) => {
    const question = readQuestion(request.body);
    const beside = keepAnswer(runtime, { request, reply }, presentAnswer);
    const result = await withinDeadline(timeoutMs, async (signal) => {
      const workspace = await workspaceForKey(
        runtime.workspaces,
        admitted.of(request).holder,
        request.body.workspace_id,
      );
      return ask(runtime, { ...question, workspace, channel: 'api' }, { signal, beside });
    });
    return presentAnswer(result);
  });
}
