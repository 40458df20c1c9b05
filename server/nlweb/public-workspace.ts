import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../core/config.ts';
import { AppError } from '../../core/errors.ts';
import { isWorkspaceId } from '../../core/ids.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { keyAdmission } from '../plugins/admission.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';

/** Not checked for its shape: what is no id of a workspace is as unknown as any other. */
export const workspaceParamsSchema = z.object({ workspace_id: z.string() });

/** The workspace that a stranger's request is about. */
export const publicWorkspace = new RequestContext<Workspace>('public workspace');

/**
 * Every route of `app` is about the workspace in its path, which its owner opened by `setting`: `workspace_not_found`
 * where it is not, so that strangers do not learn which workspaces there are. An earlier hook may have found the
 * workspace in another way.
 */
export function requirePublicWorkspace(
  app: TypedApp,
  { workspaces }: Runtime,
  setting: 'nlweb_enabled' | 'mcp_enabled',
): void {
  app.addHook('onRequest', async (request) => {
    if (publicWorkspace.find(request) !== undefined) return;
    const { workspace_id } = workspaceParamsSchema.parse(request.params);
    const workspace = isWorkspaceId(workspace_id) ? await workspaces.find(workspace_id) : null;
    if (workspace?.settings[setting] !== true) throw new AppError('workspace_not_found');
    publicWorkspace.set(request, workspace);
  });
}

/** Every request to `app` takes a token of its address, before its body is read, unless it was admitted by a key. */
export function limitPublicRate(app: TypedApp, { publicRate }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    if (keyAdmission.find(request) !== undefined) return;
    await publicRate.take(publicWorkspace.get(request).id, request.ip);
  });
}

/** Where the world reaches this server: as it is configured, else as this request did. */
export function publicBaseUrl({ PUBLIC_URL, HOST }: Config, request: FastifyRequest): string {
  return PUBLIC_URL ?? `${request.protocol}://${request.host || HOST}`;
}
