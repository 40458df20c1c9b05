import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { type Actor, operatorActor } from '../contract/actor.ts';

/** The roles of a member in the workspaces of an owner. */
export const memberRoleSchema = z.enum(['owner', 'agent', 'viewer']);
export type MemberRole = z.output<typeof memberRoleSchema>;

/** Roles in the order of their power, with an installation's operator, who has no role inside workspaces. */
export const roleSchema = z.enum(['operator', ...memberRoleSchema.options]);
export type Role = z.output<typeof roleSchema>;

/** Rights inside a workspace. */
const WORKSPACE_PERMISSIONS = [
  'workspace:read',
  'workspace:write',
  'inbox:read',
  'inbox:reply',
  'inbox:delete',
  'customers:write',
  'knowledge:read',
  'knowledge:write',
  'changes:write',
  'changes:publish',
  'channels:read',
  'channels:write',
  'developers:read',
  'developers:write',
  'people:read',
  'people:write',
  'audit:read',
  'usage:read',
  'insights:read',
] as const;

/**
 * Rights that touch every member of an owner. They need a role in all its workspaces: with a role in some of them, a person could
 * give themselves the others.
 */
const OWNER_PERMISSIONS = ['people:read', 'people:write'] as const;
type OwnerPermission = (typeof OWNER_PERMISSIONS)[number];

/** Rights over the whole installation. Only operators have them. */
const INSTALLATION_PERMISSIONS = ['operations:read', 'operations:write', 'installation:write'] as const;

/** Rights that every signed-in person has. */
const OWN_PERMISSIONS = ['self'] as const;

export const permissionSchema = z.enum([
  ...WORKSPACE_PERMISSIONS,
  ...INSTALLATION_PERMISSIONS,
  ...OWN_PERMISSIONS,
]);
export type Permission = z.output<typeof permissionSchema>;

/**
 * The permissions of each role in a workspace. An operator sees that a workspace works, but none of its contents, and cannot make
 * somebody a member who does.
 */
const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: WORKSPACE_PERMISSIONS,
  agent: [
    'workspace:read',
    'inbox:read',
    'inbox:reply',
    'knowledge:read',
    'changes:write',
    'channels:read',
    'people:read',
    'insights:read',
  ],
  viewer: ['workspace:read', 'inbox:read', 'knowledge:read', 'people:read', 'insights:read'],
  operator: ['workspace:read', 'channels:read', 'people:read', 'audit:read', 'usage:read', 'insights:read'],
};

/** Returns what the roles together allow in a workspace, in the order of the list of permissions. */
export function workspacePermissions(roles: readonly Role[]): readonly Permission[] {
  const granted = new Set(roles.flatMap((role) => ROLE_PERMISSIONS[role]));
  return permissionSchema.options.filter((permission) => granted.has(permission));
}

/** Returns what a person may do outside of workspaces. */
export function installationPermissions(isOperator: boolean): readonly Permission[] {
  return isOperator ? [...INSTALLATION_PERMISSIONS, ...OWN_PERMISSIONS] : OWN_PERMISSIONS;
}

/** Returns true if the permission is one over the whole installation, and not one inside a workspace. */
export function isInstallationPermission(permission: Permission): boolean {
  const permissions: readonly Permission[] = [...INSTALLATION_PERMISSIONS, ...OWN_PERMISSIONS];
  return permissions.includes(permission);
}

/** The role of a person in the workspaces of an owner. */
export interface Membership {
  readonly ownerId: string;
  readonly role: MemberRole;
  /** Null: all workspaces of the owner. */
  readonly workspaceIds: readonly string[] | null;
  /** Whether the owner asks its members for the sign-in of its provider. */
  readonly requiresProvider: boolean;
}

/** A person with their roles, as far as their session opens them. */
export interface SignedInRoles {
  readonly person: { readonly id: string; readonly name: string; readonly isOperator: boolean };
  readonly memberships: readonly Membership[];
}

interface OwnedWorkspace {
  readonly id: string;
  /** The id of its owner. */
  readonly owner: string;
}

/** Returns what a person may do in a workspace; empty if they have no role in it. Null stands for the operator's token. */
export function permissionsIn(
  roles: SignedInRoles | null,
  { id, owner }: OwnedWorkspace,
): readonly Permission[] {
  if (roles === null) return workspacePermissions(['owner', 'operator']);
  const { person, memberships } = roles;
  const asOperator = person.isOperator ? workspacePermissions(['operator']) : [];
  const member = findMembership(memberships, { id, owner });
  if (member === undefined) return asOperator;
  const asMember = workspacePermissions([member.role]).filter(
    (permission) => member.workspaceIds === null || !isOwnerPermission(permission),
  );
  return permissionSchema.options.filter((each) => asOperator.includes(each) || asMember.includes(each));
}

/** Returns the membership that opens a workspace; undefined if none does. */
export function findMembership(
  memberships: readonly Membership[],
  { id, owner }: OwnedWorkspace,
): Membership | undefined {
  return memberships.find(
    ({ ownerId, workspaceIds }) => ownerId === owner && (workspaceIds === null || workspaceIds.includes(id)),
  );
}

/** Returns true if the permission touches all members of an owner, and not one workspace. */
export function isOwnerPermission(permission: Permission): permission is OwnerPermission {
  return OWNER_PERMISSIONS.some((each) => each === permission);
}

/** One workspace. */
interface WorkspaceScope {
  readonly kind: 'workspace';
  readonly workspaceId: string;
  readonly ownerId: string;
}

/** An owner with all its workspaces and members. `workspaceId` is where the change was made, for the audit log. */
interface OwnerScope {
  readonly kind: 'owner';
  readonly workspaceId: string;
  readonly ownerId: string;
}

/** How and when a session was proven, as `sessions.ts` names it. */
interface SessionProof {
  readonly proof: string;
  readonly provenAt: Date | null;
  readonly ownerId: string | null;
}

/** How a caller proved to be the actor. */
type Proof = SessionProof | 'operator_token';

/**
 * The right of one caller to act in a workspace, or for an owner. Stores that change something for somebody, or load a second
 * object by its id, take one instead of ids, so that a route cannot reach what its caller may not. The plugin of the operator's
 * API makes them for sessions, after it has checked the permission of the route.
 */
export class Authority<Scope extends WorkspaceScope | OwnerScope = WorkspaceScope | OwnerScope> {
  readonly actor: Actor;
  readonly proof: Proof;
  readonly scope: Scope;
  /** Null for the operator's token. */
  readonly #roles: SignedInRoles | null;

  private constructor(scope: Scope, session: { roles: SignedInRoles; proof: SessionProof } | null) {
    this.scope = scope;
    this.#roles = session?.roles ?? null;
    this.actor =
      session === null ? operatorActor : { id: session.roles.person.id, name: session.roles.person.name };
    this.proof = session?.proof ?? 'operator_token';
  }

  /** The authority of the operator's token, of the command line, and of the installation itself, in a workspace. */
  static operator({ id, owner }: OwnedWorkspace): WorkspaceAuthority {
    return new Authority({ kind: 'workspace', workspaceId: id, ownerId: owner }, null);
  }

  /** Throws `workspace_not_found` if the session opens no role in the workspace. */
  static session(roles: SignedInRoles, proof: SessionProof, workspace: OwnedWorkspace): WorkspaceAuthority {
    if (permissionsIn(roles, workspace).length === 0) throw new AppError('workspace_not_found');
    const { id, owner } = workspace;
    return new Authority({ kind: 'workspace', workspaceId: id, ownerId: owner }, { roles, proof });
  }

  /** Whether the caller used the operator's token, which may do everything. */
  get isOperatorToken(): boolean {
    return this.#roles === null;
  }

  /** Whether the caller may do this in the workspace of a second object. */
  may(permission: Permission, workspace: OwnedWorkspace): boolean {
    return permissionsIn(this.#roles, workspace).includes(permission);
  }

  /** Widens the authority to the whole owner. Throws `permission_denied` for a caller with some of its workspaces only. */
  forOwner(permission: OwnerPermission): OwnerAuthority {
    const { workspaceId, ownerId } = this.scope;
    if (!this.may(permission, { id: workspaceId, owner: ownerId })) throw denyOwnerWide();
    const session =
      this.#roles === null || this.proof === 'operator_token'
        ? null
        : { roles: this.#roles, proof: this.proof };
    return new Authority({ kind: 'owner', workspaceId, ownerId }, session);
  }
}

export type WorkspaceAuthority = Authority<WorkspaceScope>;
export type OwnerAuthority = Authority<OwnerScope>;

/** The refusal of a member who has a role in some workspaces of the owner only. */
export function denyOwnerWide(): AppError {
  return new AppError('permission_denied', {
    detail:
      'This concerns all members of the owner, and your role covers some of its workspaces only. Ask an owner of all of them.',
  });
}
