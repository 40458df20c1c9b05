import type { Runtime } from '../../core/runtime.ts';
import { limitRate } from '../nlweb/limit-rate.ts';
import { openWorkspace } from '../nlweb/open-workspace.ts';
import type { TypedApp } from '../typed-app.ts';
import { checkOrigin } from './check-origin.ts';
import { optionsMcp } from './options-mcp.ts';
import { postMcp } from './post-mcp.ts';

/**
 * The Model Context Protocol server of a workspace, over Streamable HTTP. It keeps no sessions, so that any process may
 * answer any request: there is nothing to GET or to DELETE.
 */
export function mcp(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  openWorkspace(app, runtime, 'mcp_enabled');
  checkOrigin(app, runtime);
  optionsMcp(app);
  app.register(async (scope: TypedApp) => {
    limitRate(scope, runtime);
    postMcp(scope, runtime, timeoutMs);
  });
}
