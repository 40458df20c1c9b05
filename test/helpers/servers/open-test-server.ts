import type { InjectOptions } from 'fastify';
import { afterAll } from 'vitest';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { NewWorkspace } from '../../../core/workspaces/create-workspace.ts';
import { type AppOptions, buildApp } from '../../../server/app.ts';
import { openTestRuntime, type TestRuntimeOptions } from './open-test-runtime.ts';
import { checkAnswers } from './openapi/check-answers.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Body = InjectOptions['payload'];

interface ServerOptions {
  readonly runtime?: TestRuntimeOptions;
  readonly app?: AppOptions;
  /** Changes parts of the runtime, to test the server with them. */
  readonly alter?: (runtime: Runtime) => Partial<Runtime>;
}

/** A server on a runtime of its own, without a port; closed after the test file. */
export async function openTestServer({ runtime: wanted, app: appOptions, alter }: ServerOptions = {}) {
  const opened = await openTestRuntime(wanted);
  const runtime: Runtime = { ...opened, ...alter?.(opened) };
  const app = buildApp(runtime, appOptions);
  checkAnswers(app);
  const close = async () => {
    const closed = app.close();
    // A connection that never carried a request counts as busy and would delay the close by a minute.
    app.server.closeAllConnections();
    await closed;
  };
  afterAll(close);

  const call = (token: string, method: Method, url: string, payload?: Body) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload === undefined ? {} : { payload }),
    });

  return {
    app,
    close,
    runtime,
    /** A call of the operator; `path` below /admin/v1. */
    operate: (method: Method, path: string, payload?: Body) =>
      call(runtime.installation.adminToken, method, `/admin/v1${path}`, payload),
    /** A query with an API key. */
    query: (key: string, payload?: Body) => call(key, 'POST', '/v1/query', payload),
    /** The same, streamed; the whole response. */
    stream: (key: string, payload?: Body) => call(key, 'POST', '/v1/query/stream', payload),
    /** A workspace with a key. */
    async makeWorkspace(fields: Partial<NewWorkspace> = {}) {
      const { workspace, identitySecret } = await runtime.workspaces.create({ name: 'Test', ...fields });
      const { value } = await runtime.apiKeys.create(workspace.id, {
        name: 'Test',
        rateLimitMinute: 1_000,
        rateLimitDay: 100_000,
      });
      return { ...workspace, identitySecret, key: value };
    },
    /** A document that is indexed when this resolves. */
    async addDocument(
      workspaceId: string,
      content: string,
      audience: readonly string[] = [],
      named: { readonly title?: string; readonly url?: string; readonly contentType?: string } = {},
    ) {
      const added = await runtime.documents.add({
        workspaceId,
        bytes: Buffer.from(content),
        audience,
        ...named,
      });
      await ingestDocument({ ...runtime, database: runtime.database.kysely }, added.id);
      return runtime.documents.get(workspaceId, added.id);
    },
  };
}
