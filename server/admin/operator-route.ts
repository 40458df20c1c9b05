import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { OwnerAuthority, WorkspaceAuthority } from '../../core/members/authority.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import { testWorkspaceId } from '../../core/workspaces/test-workspace.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import type { NeededScope } from '../plugins/admission.ts';
import { callerAuthority, requestActor, requireWorkspacePermission } from '../plugins/operator-access.ts';
import { RequestContext } from '../request-context.ts';
import { workspaceIdSchema } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';

/** Properties that all operator routes share. */
export const operatorRoute = { tags: ['Operator'], security: [{ adminToken: [] }, { session: [] }] };

/** The path parameters of all routes below a workspace. */
export const workspaceParamsSchema = z.object({ workspace_id: workspaceIdSchema });

const RESTORABLE_MS = 60_000;

/** Marks a deletion that can be taken back for a minute. */
export const restorableQuerySchema = z.object({
  restorable: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'With true the deletion can be taken back for a minute.' }),
});

/** How long a deletion can be taken back; 0 if its request did not ask for it. */
export function restorableMs(asked: boolean | 'true' | 'false'): number {
  return asked === true || asked === 'true' ? RESTORABLE_MS : 0;
}

/** The workspace that the path of the request refers to. */
export const requestWorkspace = new RequestContext<Workspace>('workspace');

/**
 * Loads the workspace in the path and checks the caller's permission, for each route of `app`, before its body is checked.
 * Throws `workspace_not_found` and `permission_denied`.
 */
export function loadRequestWorkspace(app: TypedApp, { workspaces }: WorkspaceServices): void {
  app.addHook('preValidation', async (request) => {
    const params = workspaceParamsSchema.safeParse(request.params);
    // The validation that follows rejects a malformed id.
    if (!params.success) return;
    const workspace = await workspaces.get(params.data.workspace_id);
    requireWorkspacePermission(request, workspace);
    requestWorkspace.set(
      request,
      actsOnTests(request) ? { ...workspace, id: testWorkspaceId(workspace.id) } : workspace,
    );
  });
}

/** The scopes of the routes that read or change conversations, which a test key does to those of test keys. */
const conversationScopes: readonly (NeededScope | undefined)[] = ['conversations:reply', 'people:write'];

function actsOnTests(request: FastifyRequest): boolean {
  const { key } = requestActor.get(request);
  return key?.mode === 'test' && conversationScopes.includes(request.routeOptions.config.scope);
}

/** The authority of the caller in the workspace of the path. The permission of the route was checked before. */
export function requestAuthority(request: FastifyRequest): WorkspaceAuthority {
  return callerAuthority(request, requestWorkspace.get(request));
}

/**
 * The authority of the caller over the owner of the workspace of the path. Throws `permission_denied` for a member of some of its
 * workspaces.
 */
export function ownerAuthority(
  request: FastifyRequest,
  permission: 'people:read' | 'people:write',
): OwnerAuthority {
  return requestAuthority(request).forOwner(permission);
}
