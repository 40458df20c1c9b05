import type { FastifyRequest } from 'fastify';
import { type AgentCaller, anonymousCaller } from '../../core/answering/public-question.ts';
import { AppError } from '../../core/errors.ts';
import { isWorkspaceId } from '../../core/ids.ts';
import type { Runtime } from '../../core/runtime.ts';
import { workspaceForKey } from '../../core/workspaces/workspace-for-key.ts';
import { limitRate } from '../nlweb/limit-rate.ts';
import { openWorkspace } from '../nlweb/open-workspace.ts';
import { publicWorkspace } from '../nlweb/public-workspace.ts';
import { workspaceParamsSchema } from '../nlweb/workspace-params-schema.ts';
import { admitRequest } from '../plugins/admit-key.ts';
import { admitted } from '../plugins/admitted.ts';
import type { TypedApp } from '../typed-app.ts';
import { checkOrigin } from './check-origin.ts';
import { optionsMcp } from './options-mcp.ts';
import { postMcp } from './post-mcp.ts';

/**
 * The Model Context Protocol server of a workspace, over Streamable HTTP. It keeps no sessions, so that any process may
 * answer any request: there is nothing to GET or to DELETE.
 */
export function mcp(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  admitKeyHolder(app, runtime, timeoutMs);
  openWorkspace(app, runtime, 'mcp_enabled');
  checkOrigin(app, runtime);
  optionsMcp(app);
  app.register(async (scope: TypedApp) => {
    limitRate(scope, runtime);
    postMcp(scope, runtime, { timeoutMs, callerOf });
  });
}

/**
 * Admits a request that carries an API key of the workspace's owner, whether or not the workspace is open to everybody.
 * The key's own limits then count instead of those of the address. Throws the errors of /v1 for a wrong key,
 * `workspace_not_found`, and `workspace_access_denied` for a workspace of another owner.
 */
function admitKeyHolder(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization === undefined) return;
    await admitRequest(runtime, { request, reply, timeoutMs });
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    if (!isWorkspaceId(workspace_id)) throw new AppError('workspace_not_found');
    const { holder } = admitted.of(request);
    publicWorkspace.set(request, await workspaceForKey(runtime.workspaces, holder, workspace_id));
  });
}

/**
 * The caller behind a request. An API key may name every audience of its workspace on /v1, so it opens all of them
 * here; conversations of one key are closed to other keys and to anonymous callers.
 */
function callerOf(request: FastifyRequest): AgentCaller {
  const found = admitted.find(request);
  if (found === undefined) return anonymousCaller;
  const { audiences = [] } = publicWorkspace.of(request).settings;
  return { audience: audiences, sessionId: `mcp ${found.holder.id}` };
}
