import type { Runtime } from '../../core/runtime/runtime.ts';
import { mcpRoutes } from '../mcp/mcp.ts';
import type { TypedApp } from '../typed-app.ts';
import { limitPublicRate, requirePublicWorkspace } from './public-workspace.ts';
import { getAsk, getDiscovery, postAsk } from './routes.ts';

interface NlwebOptions {
  /** Milliseconds after which a question is aborted. */
  readonly queryTimeoutMs: number;
}

/** Registers the routes of the public agent, which need no key. */
export function nlwebRoutes(app: TypedApp, runtime: Runtime, { queryTimeoutMs }: NlwebOptions): void {
  app.register(async (scope: TypedApp) => {
    allowAnyOrigin(scope, { '': 'GET', '/ask': 'GET, POST' });
    scope.register(async (opened: TypedApp) => {
      requirePublicWorkspace(opened, runtime, 'nlweb_enabled');
      getDiscovery(opened, runtime);
    });
    scope.register(async (limited: TypedApp) => {
      requirePublicWorkspace(limited, runtime, 'nlweb_enabled');
      limitPublicRate(limited, runtime);
      postAsk(limited, runtime, queryTimeoutMs);
      getAsk(limited, runtime, queryTimeoutMs);
    });
  });
  app.register(async (scope: TypedApp) => mcpRoutes(scope, runtime, queryTimeoutMs), { prefix: '/mcp' });
}

/** In seconds; one day. */
const preflightSeconds = '86400';

/**
 * Allows pages of any origin to call `app` from a browser: the responses are public and no credentials are
 * sent. `methods` lists the methods of each path for the preflights.
 */
function allowAnyOrigin(app: TypedApp, methods: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-Id, Retry-After',
    });
  });
  for (const [path, allowed] of Object.entries(methods)) {
    app.options(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': allowed,
          'access-control-allow-headers': 'Content-Type, X-Request-Id',
          'access-control-max-age': preflightSeconds,
        })
        .send(),
    );
  }
}
