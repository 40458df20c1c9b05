import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { memberRoleSchema } from '../../../core/members/authority.ts';
import { createRecoveryLink } from '../../../core/members/recovery.ts';
import type { WorkspaceServices } from '../../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { dashboardLink } from '../../dashboard/links.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { ownAddress } from '../../plugins/own-address.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

const personSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    is_operator: z.boolean(),
    two_factor_enabled: z.boolean(),
    memberships: z.array(
      z.object({
        owner: z.string(),
        role: memberRoleSchema,
        workspaces: z
          .array(z.string())
          .nullable()
          .meta({ description: 'Null: all workspaces of the owner.' }),
      }),
    ),
  })
  .meta({ id: 'InstallationPerson' });

const linkSchema = z.object({
  link: z.string().meta({ description: 'The link that works once. It is shown only here.' }),
  expires_at: z.iso.datetime(),
});

const personParamsSchema = z.object({
  person_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('member_not_found')),
});

/** Registers the routes for everybody who can sign in to this installation. */
export function installationPersonRoutes(app: TypedApp, runtime: Runtime): void {
  listPersons(app, runtime);
  postBeginLink(app, runtime);
  postPersonLink(app, runtime);
  deletePerson(app, runtime);
}

const listPersonsSchema = {
  ...operatorRoute,
  summary: 'List everybody who can sign in',
  operationId: 'listPersons',
  description: 'Returns the people of this installation with their roles, by email address.',
  response: { 200: z.object({ persons: z.array(personSchema) }) },
};

function listPersons(app: TypedApp, { members }: WorkspaceServices): void {
  app.get('/persons', { schema: listPersonsSchema, ...needs('operations:read') }, async () => ({
    persons: (await members.listPersons()).map(({ person, memberships }) => ({
      id: person.id,
      email: person.email,
      name: person.name,
      is_operator: person.isOperator,
      two_factor_enabled: person.twoFactorEnabled,
      memberships: memberships.map(({ ownerId, role, workspaceIds }) => ({
        owner: ownerId,
        role,
        workspaces: workspaceIds === null ? null : [...workspaceIds],
      })),
    })),
  }));
}

const postBeginLinkSchema = {
  ...operatorRoute,
  summary: 'Create the link for the first person',
  operationId: 'createBeginLink',
  description:
    'Returns the link with which the first person makes their account within a day. The link before it stops working. Fails once somebody can sign in.',
  response: { 201: linkSchema, ...errorResponses('already_begun', 'no_public_address') },
};

function postBeginLink(app: TypedApp, { members, workspaces, config }: Runtime): void {
  const options = { schema: postBeginLinkSchema, ...needs('installation:write', { fresh: true }) };
  app.post('/begin-link', options, async (request, reply) => {
    if (!(await members.isEmpty())) throw new AppError('already_begun');
    const base = ownAddress(config, request);
    const [workspace] = (await workspaces.list({ limit: 1 })).items;
    const { link, token } = await members.createFirstLink(workspace?.owner);
    return reply.code(201).send({
      link: dashboardLink(base, { kind: 'begin', token }),
      expires_at: link.expiresAt.toISOString(),
    });
  });
}

const postPersonLinkSchema = {
  ...operatorRoute,
  summary: 'Create a link for a new password of a person',
  operationId: 'createPersonLink',
  description:
    'Returns a link with which the person sets a new password within a day. Their second factor is removed, and their sessions end, when they use it. For members of an owner only the operator token may make one, because the link opens all that the person may do.',
  params: personParamsSchema,
  response: {
    201: linkSchema,
    ...errorResponses('member_not_found', 'permission_denied', 'no_public_address'),
  },
};

function postPersonLink(app: TypedApp, { members, config, database, clock }: Runtime): void {
  const options = { schema: postPersonLinkSchema, ...needs('installation:write', { fresh: true }) };
  app.post('/persons/:person_id/recovery-link', options, async (request, reply) => {
    const found = await members.findPerson(request.params.person_id);
    if (found === null) throw new AppError('member_not_found');
    const isOfOwner = found.memberships.length > 0;
    if (requestActor.get(request).person !== null && isOfOwner) throw denyTakeover();
    const base = ownAddress(config, request);
    const entry = { email: found.person.email, actor: requestActor.get(request).identity };
    const { link, token } = await createRecoveryLink({ database: database.kysely, clock }, entry);
    return reply.code(201).send({
      link: dashboardLink(base, { kind: 'recovery', token }),
      expires_at: link.expiresAt.toISOString(),
    });
  });
}

/** With such a link an operator could sign in as a member, and read what their own role does not show them. */
function denyTakeover(): AppError {
  return new AppError('permission_denied', {
    detail:
      "This person is a member of an owner. An owner makes the link, or the command `person link` with the operator's token.",
  });
}

const deletePersonSchema = {
  ...operatorRoute,
  summary: 'Remove a person from the installation',
  operationId: 'removePerson',
  description:
    'Deletes the account of the person, their memberships, passkeys and sessions. This cannot be undone.',
  params: personParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('member_not_found', 'last_owner') },
};

function deletePerson(app: TypedApp, { members }: WorkspaceServices): void {
  const options = { schema: deletePersonSchema, ...needs('installation:write', { fresh: true }) };
  app.delete('/persons/:person_id', options, async (request, reply) => {
    await members.removePerson(request.params.person_id, requestActor.get(request).identity);
    return reply.code(204).send();
  });
}
