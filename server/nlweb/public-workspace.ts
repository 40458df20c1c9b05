import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import { isWorkspaceId } from '../../core/base/ids.ts';
import type { Config } from '../../core/config/config.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { keyAdmission } from '../plugins/admission.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';

/** The format of the id is not validated: a malformed id is reported like an unknown one. */
export const workspaceParamsSchema = z.object({ workspace_id: z.string() });

/** The workspace of a public request. */
export const publicWorkspace = new RequestContext<Workspace>('public workspace');

/**
 * Loads the workspace in the path before each route of `app`, if its owner has enabled `setting`. Throws
 * `workspace_not_found` otherwise, so that strangers cannot find out which workspaces exist. An earlier hook
 * may already have set the workspace.
 */
export function requirePublicWorkspace(
  app: TypedApp,
  { workspaces, guesses }: WorkspaceServices,
  setting: 'nlweb_enabled' | 'mcp_enabled',
): void {
  app.addHook('onRequest', async (request) => {
    if (publicWorkspace.find(request) !== undefined) return;
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    const named = { address: request.ip, credential: `${setting} ${workspace_id}`, isName: true };
    const workspace = await guesses.check({ kind: 'public_workspace', ...named }, async () => {
      const found = isWorkspaceId(workspace_id) ? await workspaces.find(workspace_id) : null;
      if (found?.settings[setting] !== true) throw new AppError('workspace_not_found');
      return found;
    });
    publicWorkspace.set(request, workspace);
  });
}

/**
 * Counts each request to `app` against the rate limit of its IP address before the body is read, unless an
 * API key admitted it.
 */
export function limitPublicRate(app: TypedApp, { publicRate }: WorkspaceServices): void {
  app.addHook('onRequest', async (request) => {
    if (keyAdmission.find(request) !== undefined) return;
    await publicRate.take(publicWorkspace.get(request).id, request.ip);
  });
}

/** Returns the public URL of this server: the configured one, else that of the request. */
export function publicBaseUrl({ PUBLIC_URL, HOST }: Config, request: FastifyRequest): string {
  return PUBLIC_URL ?? `${request.protocol}://${request.host || HOST}`;
}
