import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  acceptInvitation,
  acceptInvitationAs,
  beginInstallation,
  readInvitation,
  recoverPerson,
} from '../../core/members/join.ts';
import { memberRoleSchema } from '../../core/members/permissions.ts';
import { authPath } from '../../core/members/sign-in.ts';
import type { Runtime } from '../../core/runtime.ts';
import { findActor, libraryHeaders, requireOwnOrigin } from '../plugins/operator-access.ts';
import { boundedString, emailSchema, nameSchema } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';

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
  getOptions(app);
  libraryRoutes(app, runtime);
}

const beginSchema = {
  ...hidden,
  body: z.object({ token: tokenSchema, name: nameSchema, email: emailSchema, password: passwordSchema }),
  response: { 201: started },
};

function postBegin(app: TypedApp, runtime: Runtime): void {
  app.post('/dashboard/begin', { schema: beginSchema }, async (request, reply) => {
    await beginInstallation(dependencies(runtime), request.body);
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
    }),
  },
};

function postInvitationLook(app: TypedApp, { database, clock, members, workspaces }: Runtime): void {
  app.post('/dashboard/invitations/look', { schema: lookSchema }, async (request) => {
    const link = await readInvitation(database.kysely, { token: request.body.token, now: clock.now() });
    const visible = [{ ownerId: link.ownerId ?? '', workspaceIds: link.workspaceIds }];
    const { items } = await workspaces.list({ limit: 20 }, visible);
    return {
      email: link.email,
      role: link.role ?? 'viewer',
      inviter: link.createdBy,
      workspaces: items.map(({ name }) => name),
      has_account: (await members.findByEmail(link.email)) !== null,
    };
  });
}

const acceptSchema = {
  ...hidden,
  body: z.object({ token: tokenSchema, name: nameSchema.optional(), password: passwordSchema.optional() }),
  response: { 201: started },
};

/** With a name and a password for a new person, without them for the person who is signed in. */
function postInvitationAccept(app: TypedApp, runtime: Runtime): void {
  app.post('/dashboard/invitations/accept', { schema: acceptSchema }, async (request, reply) => {
    const { token, name, password } = request.body;
    if (name !== undefined && password !== undefined) {
      const { email } = await acceptInvitation(dependencies(runtime), { token, name, password });
      return startSession(runtime, { request, reply }, { email, password });
    }
    const { person } = await findActor(request, reply, runtime);
    if (person === null) return reply.code(201).send({ email: '' });
    await acceptInvitationAs(dependencies(runtime), { token, person });
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
    const { email } = await recoverPerson(dependencies(runtime), { token, password });
    return startSession(runtime, { request, reply }, { email, password });
  });
}

/** Identity providers that the sign-in page offers. */
function getOptions(app: TypedApp): void {
  app.get('/dashboard/auth-options', { schema: hidden }, async () => ({ providers: [] }));
}

const credentialsSchema = z.object({ email: z.string() });

/** Hands requests below `/dashboard/auth` to the sign-in library. Sign-ins by password are limited by address. */
function libraryRoutes(app: TypedApp, { signIn, config }: Runtime): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    schema: hidden,
    handler: async (request, reply) => {
      const origin = config.PUBLIC_URL ?? `${request.protocol}://${request.host}`;
      const isRead = request.method === 'GET';
      const call = () =>
        signIn.handle(
          new Request(new URL(request.url, origin), {
            method: request.method,
            headers: libraryHeaders(request),
            ...(!isRead && { body: JSON.stringify(request.body ?? {}) }),
          }),
        );
      const credentials = credentialsSchema.safeParse(request.body);
      const isPassword = request.url.split('?', 1)[0] === `${authPath}/sign-in/email` && credentials.success;
      const response = isPassword ? await signIn.limitAttempts(credentials.data.email, call) : await call();
      return sendResponse(reply, response);
    },
  });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  const cookies = response.headers.getSetCookie();
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply.send(await response.text());
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function startSession(
  { signIn }: Runtime,
  { request, reply }: Exchange,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<FastifyReply> {
  const cookies = await signIn.startSession(libraryHeaders(request), { email, password });
  return reply
    .header('set-cookie', [...cookies])
    .code(201)
    .send({ email });
}

function dependencies({ database, clock, signIn }: Runtime) {
  return { database: database.kysely, clock, signIn };
}
