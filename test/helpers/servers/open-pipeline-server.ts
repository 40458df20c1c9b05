import type { InjectOptions } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '../../../server/app.ts';
import { openTestPipeline } from '../stores/open-test-pipeline.ts';
import { checkAnswers } from './openapi/check-answers.ts';

/** A channel with workers that answer on it, and the server beside it that operators call. */
export async function openPipelineServer(options: Parameters<typeof openTestPipeline>[0] = {}) {
  const pipeline = await openTestPipeline(options);
  const { runtime, workspace } = pipeline;
  const app = buildApp(runtime);
  checkAnswers(app);
  afterAll(() => app.close());
  const { value: key } = await runtime.apiKeys.create(workspace.id, {
    name: 'Test',
    rateLimitMinute: 1_000,
    rateLimitDay: 100_000,
  });
  type Method = 'GET' | 'POST' | 'PATCH';
  const call = (token: string, [method, url, payload]: [Method, string, InjectOptions['payload']?]) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    });
  return {
    ...pipeline,
    app,
    /** A call of the operator; `path` below /admin/v1. */
    operate: (method: Method, path: string, payload?: InjectOptions['payload']) =>
      call(runtime.installation.adminToken, [method, `/admin/v1${path}`, payload]),
    /** Makes a call with an API key of the workspace; `path` is below /v1. */
    integrate: (method: Method, path: string, payload?: InjectOptions['payload']) =>
      call(key, [method, `/v1${path}`, payload]),
    /** Returns the current conversation of a chat of the platform. */
    async conversationIn(chat: string): Promise<string> {
      const { conversation_id: id } = await runtime.database.kysely
        .selectFrom('lane')
        .select('conversation_id')
        .where('lane', '=', chat)
        .executeTakeFirstOrThrow();
      return id ?? '';
    },
  };
}
