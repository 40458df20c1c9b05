import type { Runtime } from '../../core/runtime.ts';
import { mcp } from '../mcp/mcp.ts';
import type { TypedApp } from '../typed-app.ts';
import { getAsk } from './ask/get-ask.ts';
import { postAsk } from './ask/post-ask.ts';
import { getDiscovery } from './discovery/get-discovery.ts';
import { limitRate } from './limit-rate.ts';
import { openToAnyOrigin } from './open-to-any-origin.ts';
import { openWorkspace } from './open-workspace.ts';

export interface NlwebOptions {
  /** After so long a question is given up. */
  readonly queryTimeoutMs: number;
}

/** What anybody may ask of a workspace whose owner opened it, without a key. */
export function nlweb(app: TypedApp, runtime: Runtime, { queryTimeoutMs }: NlwebOptions): void {
  app.register(async (scope: TypedApp) => {
    openToAnyOrigin(scope, { '': 'GET', '/ask': 'GET, POST' });
    scope.register(async (opened: TypedApp) => {
      openWorkspace(opened, runtime, 'nlweb_enabled');
      getDiscovery(opened, runtime);
    });
    scope.register(async (limited: TypedApp) => {
      openWorkspace(limited, runtime, 'nlweb_enabled');
      limitRate(limited, runtime);
      postAsk(limited, runtime, queryTimeoutMs);
      getAsk(limited, runtime, queryTimeoutMs);
    });
  });
  app.register(async (scope: TypedApp) => mcp(scope, runtime, queryTimeoutMs), { prefix: '/mcp' });
}
