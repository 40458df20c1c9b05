import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import { type Actor as Named, namedActor, operatorActor } from '../../core/contract/actor.ts';
import { type KeyHolder, keyReachesWorkspace } from '../../core/limits/admission.ts';
import type { Membership } from '../../core/members/authority.ts';
import {
  Authority,
  denyOwnerWide,
  findMembership,
  installationPermissions,
  isInstallationPermission,
  isOwnerPermission,
  type Permission,
  permissionsIn,
  type Role,
  type WorkspaceAuthority,
} from '../../core/members/authority.ts';
import type { Person } from '../../core/members/members.ts';
import { limitToSession, type SessionProof } from '../../core/members/sessions.ts';
import { addressHeader } from '../../core/members/sign-in.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { KeyScope } from '../../core/workspaces/keys/key-scopes.ts';
import { plans } from '../../core/workspaces/workspace-settings.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';
import { keyAdmission } from './admission.ts';
import { admitRequest } from './api-key.ts';
import { assertOperatorToken, hasApiKey } from './bearer-token.ts';
import { keyPermissions } from './key-permissions.ts';
import { compareOrigin } from './own-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that a signed-in person needs. Without it only the operator's token may call the route. */
    permission?: Permission;
    /** Whether the person must have proven here, at most ten minutes ago, who they are. */
    fresh?: boolean;
  }
}

/** A key has no password, so a route that asks for a fresh proof takes none. */
type Besides = { readonly fresh: true; readonly scope?: never } | { readonly scope: KeyScope };

/**
 * Names the permission of an operator route: `app.get(path, { schema, ...needs('knowledge:read') }, …)`. A route
 * that cannot be undone also needs a fresh proof: `needs('people:write', { fresh: true })`. A route with a scope also takes an
 * API key that has it: `needs('knowledge:read', { scope: 'documents:read' })`.
 */
export function needs(permission: Permission, besides?: Besides): { readonly config: FastifyContextConfig } {
  if (besides?.scope === undefined) return { config: { permission, fresh: besides !== undefined } };
  const { scope } = besides;
  if (!keyPermissions[scope].includes(permission)) {
    throw new TypeError(`the scope ${scope} does not open routes that need ${permission}`);
  }
  return { config: { permission, fresh: false, scope } };
}

/** The caller of an operator route. */
export interface Actor {
  /** The name to show: the name of the person, or `operator`. */
  readonly name: string;
  /** The name for audit entries, with the id of the person. */
  readonly identity: Named;
  /** Null for API keys, and for the operator's token, which may do everything. */
  readonly person: Person | null;
  /** Null for people and the operator's token. */
  readonly key: KeyHolder | null;
  readonly memberships: readonly Membership[];
  readonly sessionId: string | null;
  /** Null for API keys and the operator's token. */
  readonly proof: SessionProof | null;
}

export const requestActor = new RequestContext<Actor>('actor');

const operator: Actor = {
  name: operatorActor.name,
  identity: operatorActor,
  person: null,
  key: null,
  memberships: [],
  sessionId: null,
  proof: null,
};
const safeMethods = ['GET', 'HEAD'];

/**
 * Requires the operator's token or the session of a person for each route of `app`, and the permission that the route
 * names. A route that names a scope takes an API key too. Permissions inside a workspace are checked by
 * `requireWorkspacePermission`, when the workspace is known. The check of a key ends after `timeoutMs`.
 */
export function requireOperatorAccess(app: TypedApp, runtime: Runtime, timeoutMs: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config;
    if (scope !== undefined && hasApiKey(request, runtime)) {
      await admitRequest(runtime, { request, reply, timeoutMs, scope });
      requestActor.set(request, toKeyActor(keyAdmission.get(request).holder));
      return;
    }
    if (request.headers.authorization !== undefined || !hasSessionCookie(request)) {
      await assertOperatorToken(request, runtime);
      requestActor.set(request, operator);
      return;
    }
    requireOwnOrigin(request, runtime);
    const actor = await findSignedIn(request, reply, runtime);
    const { permission } = request.routeOptions.config;
    const { isOperator } = actor.person;
    if (permission === undefined) throw deny('operator', 'the operator token');
    if (isInstallationPermission(permission) && !installationPermissions(isOperator).includes(permission)) {
      throw deny(permission, 'an operator of this installation');
    }
    requestActor.set(request, actor);
  });
}

/** The scope of a key was checked when it was admitted; a key acts under its own name. */
function toKeyActor(key: KeyHolder): Actor {
  return { ...operator, name: key.name, identity: namedActor(key.name), key };
}

/**
 * Throws `workspace_not_found` if the caller has no role in the workspace, or the key does not reach it, and `permission_denied` if
 * their role is not enough. Throws `feature_not_in_plan` for a key.
 */
export function requireWorkspacePermission(request: FastifyRequest, workspace: Workspace): void {
  const actor = requestActor.get(request);
  if (actor.key !== null) {
    if (!keyReachesWorkspace(actor.key, workspace)) throw new AppError('workspace_not_found');
    if (!plans[workspace.plan].apiAccess) throw new AppError('feature_not_in_plan');
    return;
  }
  if (actor.person === null) return;
  const granted = callerPermissions(actor, workspace);
  if (granted.length === 0) throw new AppError('workspace_not_found');
  const { permission } = request.routeOptions.config;
  if (permission === undefined || isInstallationPermission(permission) || granted.includes(permission))
    return;
  if (isOwnerPermission(permission) && isLimitedMember(request, workspace)) throw denyOwnerWide();
  throw deny(permission, 'an owner of this workspace');
}

/** Throws `permission_denied` unless the caller has a permission besides that of the route. */
export function requirePermission(
  actor: Actor,
  workspace: Pick<Workspace, 'id' | 'owner'>,
  permission: Permission,
): void {
  if (callerPermissions(actor, workspace).includes(permission)) return;
  throw deny(permission, 'an owner of this workspace');
}

/** Returns what the caller may do in a workspace; empty if they have no role in it, and for a key, whose routes each name a scope. */
export function callerPermissions(
  { person, memberships, key }: Pick<Actor, 'person' | 'memberships' | 'key'>,
  workspace: Pick<Workspace, 'id' | 'owner'>,
): readonly Permission[] {
  if (key !== null) return [];
  return permissionsIn(person === null ? null : { person, memberships }, workspace);
}

/** Returns the authority of the caller in a workspace, for stores. Throws `workspace_not_found`, and `permission_denied` for a key. */
export function callerAuthority(
  request: FastifyRequest,
  workspace: Pick<Workspace, 'id' | 'owner'>,
): WorkspaceAuthority {
  const { person, memberships, key, proof } = requestActor.get(request);
  if (key !== null) throw new AppError('permission_denied');
  if (person === null || proof === null) return Authority.operator(workspace);
  return Authority.session({ person, memberships }, proof, workspace);
}

/** Throws `permission_denied` unless the caller is the operator. It guards single fields of a request. */
export function requireOperator(request: FastifyRequest, field: string): void {
  const { person, key } = requestActor.get(request);
  if (key === null && (person === null || person.isOperator)) return;
  throw new AppError('permission_denied', {
    detail: `Only an operator of this installation can change ${field}. Ask them to do it.`,
  });
}

/** Whether the caller is a person with rights in some workspaces of its owner only. */
export function isLimitedMember(
  request: FastifyRequest,
  workspace: Pick<Workspace, 'id' | 'owner'>,
): boolean {
  const { memberships } = requestActor.get(request);
  return findMembership(memberships, workspace)?.workspaceIds != null;
}

/** Returns the roles of a person in a workspace: none, one, or two for an operator who is also a member. */
export function workspaceRoles(
  { person, memberships }: Pick<Actor, 'person' | 'memberships'>,
  workspace: Pick<Workspace, 'id' | 'owner'>,
): readonly Role[] {
  const member = findMembership(memberships, workspace);
  return [
    ...(member === undefined ? [] : [member.role]),
    ...(person?.isOperator === true ? (['operator'] as const) : []),
  ];
}

/** Returns what limits a list to the workspaces that a person may see. Null: all. */
export function visibleWorkspaces({ person, memberships, key }: Actor): readonly Membership[] | null {
  if (key !== null) return [];
  return person === null || person.isOperator ? null : memberships;
}

/** Loads the person whose session the cookie names. Throws `invalid_session`. */
export async function findSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { signIn, members }: Pick<Runtime, 'signIn' | 'members'>,
): Promise<Actor & { readonly person: Person }> {
  const session = await signIn.findSession(libraryHeaders(request));
  const found = session === null ? null : await members.findPerson(session.personId);
  if (session === null || found === null) {
    throw new AppError('invalid_session', { detail: 'The session has ended. Sign in again.' });
  }
  if (session.cookies.length > 0) reply.header('set-cookie', [...session.cookies]);
  const { person, memberships } = limitToSession(found, session);
  const identity = { id: person.id, name: person.name };
  const { proof, provenAt, ownerId } = session;
  return {
    name: person.name,
    identity,
    person,
    key: null,
    memberships,
    sessionId: session.id,
    proof: { proof, provenAt, ownerId },
  };
}

/** The headers that the sign-in library reads: cookies, the browser, and the client's address as this server knows it. */
export function libraryHeaders({ headers, ip }: FastifyRequest): Headers {
  const passed = new Headers({ [addressHeader]: ip });
  for (const name of [
    'cookie',
    'user-agent',
    'origin',
    'referer',
    'content-type',
    'sec-fetch-site',
  ] as const) {
    const value = headers[name];
    if (typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

/**
 * Rejects writes that another site made the browser send: browsers name the page's origin on every write. Throws
 * `cross_site_request`.
 */
export function requireOwnOrigin(request: FastifyRequest, { config }: Pick<Runtime, 'config'>): void {
  if (safeMethods.includes(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const isOwn = compareOrigin(request, config.PUBLIC_URL) === 'own';
  const isSame = site === undefined || site === 'same-origin';
  if (!isOwn || !isSame) throw new AppError('cross_site_request');
}

function hasSessionCookie({ headers }: FastifyRequest): boolean {
  return (headers.cookie ?? '').split('; ').some((pair) => /^(?:__Host-)?parley=/.test(pair));
}

function deny(permission: string, whom: string): AppError {
  return new AppError('permission_denied', {
    detail: `This needs the permission ${permission}, which your role does not include. Ask ${whom}.`,
  });
}
