import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { memberRoleSchema } from '../../core/members/authority.ts';
import { isAddressHeld } from '../../core/members/identity/domain-proofs.ts';
import {
  acceptInvitation,
  acceptInvitationAs,
  beginInstallation,
  findRequiredProvider,
  readInvitation,
} from '../../core/members/join.ts';
import { recoverPerson } from '../../core/members/recovery.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { findSignedIn, libraryHeaders, requireOwnOrigin } from '../plugins/operator-access.ts';
import { boundedString, emailSchema, personNameSchema } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';
import { settleLinkSignIn } from './audit-sign-in.ts';
import { libraryRoutes } from './library-routes.ts';
import { mailRecoveryLink } from './member-mail.ts';
import { proveRoutes } from './prove.ts';
import { providerSignInRoutes, signInLink, takeProviderFault } from './provider-sign-in.ts';
import { mailSecurityNews } from './security-mail.ts';

const tokenSchema = z.string().max(200);
const passwordSchema = boundedString({ min: 1, max: 1_000 });
const hidden = { hide: true };
const started = z.object({ email: z.string() });

/** Registers what the pages before sign-in call: links that work once, and the routes of the sign-in library. */
export function signInRoutes(app: TypedApp, runtime: Runtime): void {
  app.addHook('onRequest', async (request) => requireOwnOrigin(request, runtime));
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  postBegin(app, runtime);
  postInvitationLook(app, runtime);
  postInvitationAccept(app, runtime);
  postRecovery(app, runtime);
  postForgotten(app, runtime);
  getOptions(app, runtime);
  providerSignInRoutes(app, runtime);
  proveRoutes(app, runtime);
  libraryRoutes(app, runtime);
}

const beginSchema = {
  ...hidden,
  body: z.object({
    token: tokenSchema,
    name: personNameSchema,
    email: emailSchema,
    password: passwordSchema,
  }),
  response: { 201: started },
};

function postBegin(app: TypedApp, runtime: Runtime): void {
  app.post('/dashboard/begin', { schema: beginSchema }, async (request, reply) => {
    await checkLink(runtime, request, 'begin', () => beginInstallation(dependencies(runtime), request.body));
    return startSession(runtime, { request, reply }, request.body);
  });
}

const lookSchema = {
  ...hidden,
  body: z.object({ token: tokenSchema }),
  response: {
    200: z.object({
      email: z.string(),
      role: memberRoleSchema,
      inviter: z.string(),
      workspaces: z.array(z.string()),
      has_account: z.boolean(),
      provider: z.object({ name: z.string(), url: z.string() }).nullable(),
    }),
  },
};

function postInvitationLook(app: TypedApp, runtime: Runtime): void {
  const { database, clock, workspaces } = runtime;
  app.post('/dashboard/invitations/look', { schema: lookSchema }, async (request) => {
    const { token } = request.body;
    const link = await checkLink(runtime, request, 'invitation', () =>
      readInvitation(database.kysely, { token, now: clock.now() }),
    );
    const visible = [{ ownerId: link.ownerId ?? '', workspaceIds: link.workspaceIds }];
    const { items } = await workspaces.list({ limit: 20 }, visible);
    const provider = await findRequiredProvider(database.kysely, link.ownerId);
    return {
      email: link.email,
      role: link.role ?? 'viewer',
      inviter: link.createdBy,
      workspaces: items.map(({ name }) => name),
      has_account: await isAddressHeld(database.kysely, link.email),
      provider: provider === null ? null : { name: provider, url: signInLink('', link.ownerId ?? '') },
    };
  });
}

const acceptSchema = {
  ...hidden,
  body: z.object({
    token: tokenSchema,
    name: personNameSchema.optional(),
    password: passwordSchema.optional(),
  }),
  response: { 201: started },
};

/** Accepts an invitation, with a name and a password for a new person, without them for the person who is signed in. */
function postInvitationAccept(app: TypedApp, runtime: Runtime): void {
  app.post('/dashboard/invitations/accept', { schema: acceptSchema }, async (request, reply) => {
    const { token, name, password } = request.body;
    if (name !== undefined && password !== undefined) {
      const { email } = await checkLink(runtime, request, 'invitation', () =>
        acceptInvitation(dependencies(runtime), { token, name, password }),
      );
      return startSession(runtime, { request, reply }, { email, password });
    }
    const { person } = await findSignedIn(request, reply, runtime);
    await checkLink(runtime, request, `invitation of ${person.id}`, () =>
      acceptInvitationAs(dependencies(runtime), { token, person }),
    );
    return reply.code(201).send({ email: person.email });
  });
}

const recoverySchema = {
  ...hidden,
  body: z.object({ token: tokenSchema, password: passwordSchema }),
  response: { 201: started },
};

function postRecovery(app: TypedApp, runtime: Runtime): void {
  app.post('/dashboard/recover', { schema: recoverySchema }, async (request, reply) => {
    const { token, password } = request.body;
    const { email, lostSecondFactor } = await checkLink(runtime, request, 'recovery', () =>
      recoverPerson(dependencies(runtime), { token, password }),
    );
    const person = await runtime.members.findByEmail(email);
    if (person !== null) {
      const news = lostSecondFactor ? 'second_factor_lost' : 'password_recovered';
      mailSecurityNews(runtime, request, { person, news });
    }
    return startSession(runtime, { request, reply }, { email, password });
  });
}

const forgottenSchema = {
  ...hidden,
  body: z.object({ email: emailSchema }),
  response: { 202: z.object({ email: z.string() }) },
};

/** Answers at once and alike for everybody: the mail is made afterwards, for an address that signs in here. */
function postForgotten(app: TypedApp, runtime: Runtime): void {
  app.post('/dashboard/forgot', { schema: forgottenSchema }, async (request, reply) => {
    const email = request.body.email.toLowerCase();
    await mailRecoveryLink(runtime, request, email);
    return reply.code(202).send({ email });
  });
}

const optionsSchema = {
  ...hidden,
  // Not the whole address: proxies log addresses of requests.
  querystring: z.object({ domain: z.string().max(320).optional() }),
  response: {
    200: z.object({
      providers: z.array(z.object({ name: z.string(), url: z.string() })),
      sends_mail: z.boolean(),
      /** Why the sign-in at a provider failed that this browser comes back from. */
      fault: z.string().nullable(),
    }),
  },
};

/** The identity providers for a domain, and whether a lost password is mailed. */
function getOptions(app: TypedApp, runtime: Runtime): void {
  const { signIn, mailer } = runtime;
  app.get('/dashboard/auth-options', { schema: optionsSchema }, async (request, reply) => {
    const found = await signIn.providers.findForDomain(request.query.domain ?? '');
    return {
      providers: found === null ? [] : [{ name: found.name, url: signInLink('', found.ownerId) }],
      sends_mail: mailer !== null,
      fault: takeProviderFault(runtime, { request, reply }),
    };
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function startSession(
  runtime: Runtime,
  { request, reply }: Exchange,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<FastifyReply> {
  const cookies = await runtime.signIn.startSession(libraryHeaders(request), { email, password });
  const added = await settleLinkSignIn(runtime, cookies);
  return reply
    .header('set-cookie', [...cookies, ...added])
    .code(201)
    .send({ email });
}

interface LinkRequest extends Pick<FastifyRequest, 'ip'> {
  readonly body: { readonly token: string };
}

/**
 * Limits wrong links by address, before they are looked up. A link that is wrong for one `purpose` may be right for another.
 * Throws `rate_limit_minute`, and what `use` throws.
 */
function checkLink<Result>(
  { guesses }: WorkspaceServices,
  { ip, body }: LinkRequest,
  purpose: string,
  use: () => Promise<Result>,
): Promise<Result> {
  return guesses.check({ kind: 'link', address: ip, credential: `${purpose} ${body.token}` }, use);
}

function dependencies({ database, clock, signIn }: Runtime) {
  return { database: database.kysely, clock, signIn };
}
