import { systemClock } from '../../../core/base/clock.ts';
import { PublicRateLimit } from '../../../core/limits/public-rate.ts';
import type { NewWorkspace } from '../../../core/workspaces/create-workspace.ts';
import { openTestServer } from './open-test-server.ts';

type ServerOptions = NonNullable<Parameters<typeof openTestServer>[0]>;

/** Starts a server with workspaces that are open to strangers, who may ask as often as a test needs. */
export async function openPublicServer(options: ServerOptions = {}) {
  const server = await openTestServer({
    ...options,
    alter: (runtime) => ({
      publicRate: new PublicRateLimit({
        database: runtime.database.kysely,
        clock: systemClock,
        capacity: 1_000_000,
      }),
      ...options.alter?.(runtime),
    }),
  });
  const { app, makeWorkspace } = server;
  return {
    ...server,
    openWorkspace: (fields: Partial<NewWorkspace> = {}) =>
      makeWorkspace({
        ...fields,
        settings: { nlweb_enabled: true, mcp_enabled: true, ...fields.settings },
      }),
    askPublicly: (workspaceId: string, payload?: object, headers: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url: `/api/nlweb/${workspaceId}/ask`,
        headers,
        ...(payload === undefined ? {} : { payload }),
      }),
    /** As clients of the open NLWeb protocol do. */
    askByAddress: (workspaceId: string, query: Record<string, string>) =>
      app.inject({ method: 'GET', url: `/api/nlweb/${workspaceId}/ask`, query }),
    discover: (workspaceId: string, headers: Record<string, string> = {}) =>
      app.inject({ method: 'GET', url: `/api/nlweb/${workspaceId}`, headers }),
    /** Messages that are counted against the owner's month. */
    async messagesOf(owner: string): Promise<number> {
      const row = await server.runtime.database.kysely
        .selectFrom('owner_usage')
        .select('messages')
        .where('owner_id', '=', owner)
        .executeTakeFirst();
      return row?.messages ?? 0;
    },
  };
}
