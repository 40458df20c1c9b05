import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { memberRoleSchema, type OwnerAuthority } from '../../../core/members/authority.ts';
import type { Member } from '../../../core/members/members.ts';
import { createRecoveryLink } from '../../../core/members/recovery.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { dashboardLink } from '../../dashboard/links.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { ownAddress } from '../../plugins/own-address.ts';
import { errorResponses, noContentSchema } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, ownerAuthority, requestWorkspace, workspaceParamsSchema } from '../operator-route.ts';

export const workspaceIdsSchema = z
  .array(z.string())
  .min(1)
  .max(1_000)
  .nullable()
  .meta({ description: 'The ids of the workspaces that the person may see. Null: all of the owner.' });

const memberSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: memberRoleSchema,
    workspaces: workspaceIdsSchema,
    two_factor_enabled: z.boolean(),
    joined_at: z.iso.datetime(),
  })
  .meta({ id: 'Member' });

export const linkField = z.string().meta({
  description: 'The link that works once. It is shown only here: send it to the person.',
});

const memberParamsSchema = workspaceParamsSchema.extend({ member_id: z.string() });

/** Registers the routes for the people who work on the workspaces of an owner. */
export function memberRoutes(app: TypedApp, runtime: Runtime): void {
  listMembers(app, runtime);
  patchMember(app, runtime);
  deleteMember(app, runtime);
  postRecoveryLink(app, runtime);
}

const listMembersSchema = {
  ...operatorRoute,
  summary: 'List the members of a workspace',
  operationId: 'listMembers',
  description: 'Returns the people who may work on the workspaces of its owner, the first ones first.',
  params: workspaceParamsSchema,
  response: { 200: z.object({ members: z.array(memberSchema) }), ...errorResponses('workspace_not_found') },
};

function listMembers(app: TypedApp, { members }: WorkspaceServices): void {
  app.get('/members', { schema: listMembersSchema, ...needs('people:read') }, async (request) => {
    return { members: (await members.list(ownerAuthority(request, 'people:read'))).map(presentMember) };
  });
}

const patchMemberSchema = {
  ...operatorRoute,
  summary: 'Change the role of a member',
  operationId: 'updateMember',
  description: 'Changes the role, and which workspaces of the owner the person may see.',
  params: memberParamsSchema,
  body: z.object({ role: memberRoleSchema, workspaces: workspaceIdsSchema.default(null) }),
  response: {
    200: z.object({ members: z.array(memberSchema) }),
    ...errorResponses('workspace_not_found', 'member_not_found', 'last_owner'),
  },
};

function patchMember(app: TypedApp, runtime: Runtime): void {
  app.patch(
    '/members/:member_id',
    { schema: patchMemberSchema, ...needs('people:write', { fresh: true }) },
    async (request) => {
      const { role, workspaces } = request.body;
      const authority = ownerAuthority(request, 'people:write');
      await assertOwnWorkspaces(runtime, authority, workspaces);
      await runtime.members.changeRole(authority, request.params.member_id, {
        role,
        workspaceIds: workspaces,
      });
      return { members: (await runtime.members.list(authority)).map(presentMember) };
    },
  );
}

const deleteMemberSchema = {
  ...operatorRoute,
  summary: 'Remove a member',
  operationId: 'removeMember',
  description: 'Takes the person out of the workspaces of this owner and ends their sessions.',
  params: memberParamsSchema,
  response: {
    204: noContentSchema,
    ...errorResponses('workspace_not_found', 'member_not_found', 'last_owner'),
  },
};

function deleteMember(app: TypedApp, { members }: WorkspaceServices): void {
  const options = { schema: deleteMemberSchema, ...needs('people:write', { fresh: true }) };
  app.delete('/members/:member_id', options, async (request, reply) => {
    await members.remove(ownerAuthority(request, 'people:write'), request.params.member_id);
    return reply.code(204).send();
  });
}

const postRecoveryLinkSchema = {
  ...operatorRoute,
  summary: 'Create a link for a new password',
  operationId: 'createRecoveryLink',
  description:
    'Returns a link with which the member sets a new password within a day. Their second factor is removed, and their sessions end, when they use it. It is refused for yourself, and for somebody with rights outside of this owner.',
  params: memberParamsSchema,
  response: {
    201: z.object({ link: linkField, expires_at: z.iso.datetime() }),
    ...errorResponses('workspace_not_found', 'member_not_found', 'no_public_address'),
  },
};

function postRecoveryLink(app: TypedApp, { members, config, database, clock }: Runtime): void {
  const options = { schema: postRecoveryLinkSchema, ...needs('people:write', { fresh: true }) };
  app.post('/members/:member_id/recovery-link', options, async (request, reply) => {
    const authority = ownerAuthority(request, 'people:write');
    const { actor } = authority;
    const found = (await members.list(authority)).find(
      ({ person }) => person.id === request.params.member_id,
    );
    if (found === undefined) throw new AppError('member_not_found');
    await assertOnlyHere(request, members, found.person.id);
    const { email } = found.person;
    const base = ownAddress(config, request);
    const { link, token } = await createRecoveryLink({ database: database.kysely, clock }, { email, actor });
    return reply.code(201).send({
      link: dashboardLink(base, { kind: 'recovery', token }),
      expires_at: link.expiresAt.toISOString(),
    });
  });
}

/**
 * A link for a new password opens everything that the person may do. Throws `permission_denied` if that is more than what this
 * owner gave them, unless the caller has the operator's token.
 */
async function assertOnlyHere(
  request: FastifyRequest,
  members: Runtime['members'],
  personId: string,
): Promise<void> {
  const { person: caller } = requestActor.get(request);
  if (caller === null) return;
  const { owner } = requestWorkspace.get(request);
  const found = await members.findPerson(personId);
  const isElsewhere = found?.memberships.some(({ ownerId }) => ownerId !== owner) ?? true;
  if (found?.person.isOperator !== true && !isElsewhere) return;
  throw new AppError('permission_denied', {
    detail: 'This person also works for others in this installation. Ask its operator for the link.',
  });
}

/** Throws `invalid_workspaces` if one of the workspaces belongs to another owner. */
export async function assertOwnWorkspaces(
  { workspaces }: WorkspaceServices,
  { scope: { ownerId } }: OwnerAuthority,
  ids: readonly string[] | null,
): Promise<void> {
  if (!(await workspaces.areAllOf(ownerId, ids ?? []))) throw new AppError('invalid_workspaces');
}

function presentMember({ person, role, workspaceIds, createdAt }: Member): z.output<typeof memberSchema> {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    role,
    workspaces: workspaceIds === null ? null : [...workspaceIds],
    two_factor_enabled: person.twoFactorEnabled,
    joined_at: createdAt.toISOString(),
  };
}
