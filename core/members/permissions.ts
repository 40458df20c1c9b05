import { z } from 'zod';

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
  'channels:read',
  'channels:write',
  'developers:read',
  'developers:write',
  'people:read',
  'people:write',
  'audit:read',
  'usage:read',
] as const;

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

/** The permissions of each role in a workspace. An operator sees that a workspace works, but none of its contents. */
const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: WORKSPACE_PERMISSIONS,
  agent: ['workspace:read', 'inbox:read', 'inbox:reply', 'knowledge:read', 'channels:read', 'people:read'],
  viewer: ['workspace:read', 'inbox:read', 'knowledge:read', 'people:read'],
  operator: ['workspace:read', 'channels:read', 'people:read', 'people:write', 'audit:read', 'usage:read'],
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
