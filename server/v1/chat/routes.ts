import type { AskOptions, AskResult } from '../../../core/answering/ask.ts';
import type { AskRequest } from '../../../core/answering/ask-request.ts';
import { findWorkspaceForKey } from '../../../core/limits/admission.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { withDeadline } from '../../deadline.ts';
import { keyAdmission, needsScope } from '../../plugins/admission.ts';
import type { TypedApp } from '../../typed-app.ts';
import { AnswerStream } from '../query/answer-stream.ts';
import { type AnsweringOptions, noteConfidence, refundAnswer } from '../query/routes.ts';
import { askOf } from '../simulation.ts';
import { ChatFrames, presentCompletion } from './present.ts';
import { type ChatBody, chatModel, chatSchema, modelsSchema } from './schema.ts';
import { readThread } from './thread.ts';

/** Registers what clients of OpenAI's dialect call. */
export function chatRoutes(app: TypedApp, runtime: Runtime, options: AnsweringOptions): void {
  const { clock } = runtime;
  app.get('/models', { schema: modelsSchema, ...needsScope('query') }, async (request) => {
    const { workspace } = keyAdmission.get(request).holder;
    const created = Math.floor(workspace.createdAt.getTime() / 1_000);
    const model = { id: chatModel, object: 'model' as const, created, owned_by: workspace.id };
    return { object: 'list' as const, data: [model] };
  });

  const config = { countsMessage: true, openAiErrors: true, scope: 'query' } as const;
  app.post('/chat/completions', { schema: chatSchema, config }, async (request, reply) => {
    const question = parseQuestion(request.body);
    const asking = askOf({ request, reply, options: options.simulation });
    const answer = async (more: AskOptions): Promise<AskResult> => {
      const { holder } = keyAdmission.get(request);
      const workspace = await findWorkspaceForKey(runtime.workspaces, holder, request.body.workspace_id);
      const isTest = holder.mode === 'test';
      const parent = runtime.spans?.callerOf(request.headers.traceparent);
      const result = await asking(
        runtime,
        { ...question, workspace, isTest, channel: 'api' },
        { ...more, parent },
      );
      noteConfidence(request, result);
      return result;
    };
    if (request.body.stream !== true) {
      const result = await withDeadline(options.queryTimeoutMs, (signal) => answer({ signal }));
      return presentCompletion(result, clock.now());
    }
    const frames = new ChatFrames({
      id: request.id,
      created: clock.now(),
      hasUsage: request.body.stream_options?.include_usage === true,
    });
    const refund = () => refundAnswer(runtime, request);
    const stream = new AnswerStream(request, reply, { ...options, frames, lastLine: '[DONE]', refund });
    await stream.run(async () => frames.last(await answer({ signal: stream.signal, listener: stream })));
  });
}

function parseQuestion(body: ChatBody): Omit<AskRequest, 'workspace' | 'channel'> {
  return {
    ...readThread(body.messages),
    conversationId: body.conversation_id || null,
    sessionId: body.user ?? null,
    topK: null,
    strictness: null,
    temperature: body.temperature == null ? null : Math.min(1, body.temperature),
    audience: [],
    documentIds: null,
    identity: { user: null, token: null },
    metadata: body.metadata ?? null,
  };
}
