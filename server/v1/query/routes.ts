import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AskResult } from '../../../core/answering/ask.ts';
import type { AskRequest } from '../../../core/answering/ask-request.ts';
import { findWorkspaceForKey } from '../../../core/limits/admission.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { withDeadline } from '../../deadline.ts';
import { keyAdmission, keyOutcome } from '../../plugins/admission.ts';
import { refundMessage } from '../../plugins/api-key.ts';
import { storeIdempotentResponse } from '../../plugins/idempotency.ts';
import type { TypedApp } from '../../typed-app.ts';
import { askOf, type SimulationOptions } from '../simulation.ts';
import { AnswerStream, type AnswerStreamOptions } from './answer-stream.ts';
import { parseIdentity } from './identity.ts';
import { presentAnswer, presentFinal } from './present.ts';
import { querySchema } from './schema.ts';
import { queryStreamSchema } from './stream-schema.ts';

/** How questions with an API key are answered. */
export interface AnsweringOptions extends StreamLimits {
  /** Milliseconds after which an answer that is not streamed is aborted. */
  readonly queryTimeoutMs: number;
  readonly simulation: SimulationOptions;
}

export function postQuery(app: TypedApp, runtime: Runtime, options: AnsweringOptions): void {
  const { queryTimeoutMs: timeoutMs, simulation } = options;
  const config = { countsMessage: true, idempotent: true, scope: 'query' } as const;
  app.post('/query', { schema: querySchema, config }, async (request, reply) => {
    const question = parseQuestion(request.body);
    const beside = storeIdempotentResponse(runtime, { request, reply }, presentAnswer);
    const result = await withDeadline(timeoutMs, async (signal) => {
      const { holder } = keyAdmission.get(request);
      const workspace = await findWorkspaceForKey(runtime.workspaces, holder, request.body.workspace_id);
      const isTest = holder.mode === 'test';
      const parent = runtime.spans?.callerOf(request.headers.traceparent);
      const answer = askOf({ request, reply, options: simulation });
      return answer(runtime, { ...question, workspace, isTest, channel: 'api' }, { signal, beside, parent });
    });
    noteConfidence(request, result);
    return presentAnswer(result);
  });
}

/** The limits of a streamed answer. */
type StreamLimits = Omit<AnswerStreamOptions, 'refund'>;

export function postQueryStream(app: TypedApp, runtime: Runtime, options: AnsweringOptions): void {
  const config = { countsMessage: true, scope: 'query' } as const;
  app.post('/query/stream', { schema: queryStreamSchema, config }, async (request, reply) => {
    const { holder } = keyAdmission.get(request);
    const refund = () => refundAnswer(runtime, request);
    const stream = new AnswerStream(request, reply, { ...options, refund });
    await stream.run(async () => {
      const workspace = await findWorkspaceForKey(runtime.workspaces, holder, request.body.workspace_id);
      const isTest = holder.mode === 'test';
      const question = { ...parseQuestion(request.body), workspace, isTest, channel: 'api' };
      const parent = runtime.spans?.callerOf(request.headers.traceparent);
      const answer = askOf({ request, reply, options: options.simulation });
      const result = await answer(runtime, question, { signal: stream.signal, listener: stream, parent });
      noteConfidence(request, result);
      return presentFinal(result);
    });
  });
}

/** Refunds a streamed answer that failed after its response had begun. */
export function refundAnswer(runtime: Runtime, request: FastifyRequest): Promise<void> {
  keyOutcome.set(request, 'errors');
  return refundMessage(runtime, request);
}

export function noteConfidence(request: FastifyRequest, { answer }: AskResult): void {
  if (answer.confidence === 'low') keyOutcome.set(request, 'low');
}

function parseQuestion(body: z.output<typeof querySchema.body>): Omit<AskRequest, 'workspace' | 'channel'> {
  return {
    question: body.query,
    conversationId: body.conversation_id || null,
    sessionId: body.session_id ?? null,
    topK: body.top_k ?? null,
    strictness: body.strictness ?? null,
    temperature: body.temperature ?? null,
    audience: body.audience,
    documentIds: body.document_ids ?? null,
    identity: parseIdentity(body),
    metadata: body.metadata ?? null,
  };
}
