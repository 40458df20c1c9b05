import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../core/base/errors.ts';
import { findMailer, type Mailer } from '../../../core/channels/mailer.ts';
import { memberRoleSchema } from '../../../core/members/authority.ts';
import {
  inviteMember,
  listInvitations,
  noteMail,
  renewInvitation,
  revokeInvitation,
} from '../../../core/members/invitations.ts';
import type { MemberLink } from '../../../core/members/member-links.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { dashboardLink } from '../../dashboard/links.ts';
import { mailInvitation } from '../../dashboard/member-mail.ts';
import { needs, requestActor } from '../../plugins/operator-access.ts';
import { ownAddress } from '../../plugins/own-address.ts';
import { emailSchema } from '../../schemas/fields.ts';
import { errorResponses, noContentSchema, withErrorCode } from '../../schemas/responses.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute, ownerAuthority, workspaceParamsSchema } from '../operator-route.ts';
import { assertOwnWorkspaces, linkField, workspaceIdsSchema } from './routes.ts';

const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: memberRoleSchema,
    workspaces: workspaceIdsSchema,
    invited_by: z.string(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    mailed_at: z.iso.datetime().nullable().meta({ description: 'Null: the link was not mailed.' }),
    mail_fault: z.string().nullable().meta({
      description: 'Why the mail server did not take the last mail, in its own words. Null: it took it.',
    }),
  })
  .meta({ id: 'Invitation' });

const createdSchema = invitationSchema.extend({ link: linkField });
const invitationParamsSchema = workspaceParamsSchema.extend({
  invitation_id: z.string().refine((id) => /^\w+$/.test(id), withErrorCode('invitation_not_found')),
});

/** Registers the routes for the invitations of an owner. */
export function invitationRoutes(app: TypedApp, runtime: Runtime): void {
  getInvitations(app, runtime);
  postInvitation(app, runtime);
  postInvitationMail(app, runtime);
  deleteInvitation(app, runtime);
}

const listInvitationsSchema = {
  ...operatorRoute,
  summary: 'List the open invitations, newest first',
  operationId: 'listInvitations',
  description: 'Returns the invitations that nobody has accepted yet, without their links.',
  params: workspaceParamsSchema,
  response: {
    200: z.object({ invitations: z.array(invitationSchema) }),
    ...errorResponses('workspace_not_found'),
  },
};

function getInvitations(app: TypedApp, { database, clock }: Runtime): void {
  const options = { schema: listInvitationsSchema, ...needs('people:write') };
  app.get('/invitations', options, async (request) => {
    const authority = ownerAuthority(request, 'people:write');
    const invitations = await listInvitations({ database: database.kysely, clock }, authority);
    return { invitations: invitations.map(presentInvitation) };
  });
}

const postInvitationSchema = {
  ...operatorRoute,
  summary: 'Invite a person',
  operationId: 'createInvitation',
  description:
    'Creates a link that works once within seven days and makes the address a member. It is mailed where SMTP_URL is set or the workspace has an e-mail channel. A new invitation of the same address replaces the last one.',
  params: workspaceParamsSchema,
  body: z
    .object({ email: emailSchema, role: memberRoleSchema, workspaces: workspaceIdsSchema.default(null) })
    .meta({ examples: [{ email: 'ben@acme.example', role: 'agent' }] }),
  response: {
    201: createdSchema,
    ...errorResponses('workspace_not_found', 'member_exists', 'no_public_address'),
  },
};

function postInvitation(app: TypedApp, runtime: Runtime): void {
  const { database, clock } = runtime;
  const stores = { database: database.kysely, clock };
  const options = { schema: postInvitationSchema, ...needs('people:write', { fresh: true }) };
  app.post('/invitations', options, async (request, reply) => {
    const { email, role, workspaces } = request.body;
    const authority = ownerAuthority(request, 'people:write');
    await assertOwnWorkspaces(runtime, authority, workspaces);
    // Before the invitation is made, because its link is shown only once.
    ownAddress(runtime.config, request);
    const created = await inviteMember(stores, authority, { email, role, workspaceIds: workspaces });
    const mailer = await findMailer(runtime, authority.scope.workspaceId);
    if (mailer !== null) await noteMail(stores, created.link.id);
    return reply.code(201).send(await sendInvitation(runtime, request, { ...created, mailer }));
  });
}

const postInvitationMailSchema = {
  ...operatorRoute,
  summary: 'Mail an invitation again',
  operationId: 'mailInvitation',
  description:
    'Makes a new link for the invitation, good for another seven days, and mails it. The old link stops working. An invitation is mailed five times at most.',
  params: invitationParamsSchema,
  response: {
    200: createdSchema,
    ...errorResponses('workspace_not_found', 'invitation_not_found', 'mail_not_set_up', 'rate_limit_day'),
  },
};

function postInvitationMail(app: TypedApp, runtime: Runtime): void {
  const { database, clock } = runtime;
  const options = { schema: postInvitationMailSchema, ...needs('people:write', { fresh: true }) };
  app.post('/invitations/:invitation_id/mail', options, async (request) => {
    const authority = ownerAuthority(request, 'people:write');
    const mailer = await findMailer(runtime, authority.scope.workspaceId);
    if (mailer === null) throw new AppError('mail_not_set_up');
    const stores = { database: database.kysely, clock };
    const renewed = await renewInvitation(stores, authority, request.params.invitation_id);
    return sendInvitation(runtime, request, { ...renewed, mailer });
  });
}

const deleteInvitationSchema = {
  ...operatorRoute,
  summary: 'Revoke an invitation',
  operationId: 'revokeInvitation',
  description: 'Revokes an invitation that nobody has accepted. Its link stops working at once.',
  params: invitationParamsSchema,
  response: { 204: noContentSchema, ...errorResponses('workspace_not_found', 'invitation_not_found') },
};

function deleteInvitation(app: TypedApp, { database, clock }: Runtime): void {
  const options = { schema: deleteInvitationSchema, ...needs('people:write') };
  app.delete('/invitations/:invitation_id', options, async (request, reply) => {
    const stores = { database: database.kysely, clock };
    await revokeInvitation(stores, ownerAuthority(request, 'people:write'), request.params.invitation_id);
    return reply.code(204).send();
  });
}

interface Created {
  readonly link: MemberLink;
  readonly token: string;
  /** Null: the link is only returned. */
  readonly mailer: Mailer | null;
}

/** Mails the link where there is a mailer, and returns it to be copied in any case. */
async function sendInvitation(
  runtime: Runtime,
  request: FastifyRequest,
  { link, token, mailer }: Created,
): Promise<z.output<typeof createdSchema>> {
  const { config, clock } = runtime;
  const language = requestActor.get(request).person?.language ?? null;
  const mailFault =
    mailer === null ? null : await mailInvitation(runtime, request, { link, token, mailer, language });
  const sent = { ...link, mailedAt: mailer === null ? null : clock.now(), mailFault };
  const address = dashboardLink(ownAddress(config, request), { kind: 'invitation', token });
  return { ...presentInvitation(sent), link: address };
}

function presentInvitation(link: MemberLink): z.output<typeof invitationSchema> {
  return {
    id: link.id,
    email: link.email ?? '',
    role: link.role ?? 'viewer',
    workspaces: link.workspaceIds === null ? null : [...link.workspaceIds],
    invited_by: link.createdBy,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    mailed_at: link.mailedAt?.toISOString() ?? null,
    mail_fault: link.mailFault,
  };
}
