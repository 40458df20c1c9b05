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
import { findSignedIn, libraryHeaders, requireOwnOrigin } from '../plugins/operator-access.ts';
import { boundedString, emailSchema, nameSchema } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';
import { auditLibraryCall, auditLinkSignIn } from './audit-sign-in.ts';

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
    const { person } = await findSignedIn(request, reply, runtime);
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
function libraryRoutes(app: TypedApp, runtime: Runtime): void {
  const { signIn } = runtime;
  app.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    schema: hidden,
    handler: async (request, reply) => {
      const isRead = request.method === 'GET';
      const headers = libraryHeaders(request);
      const call = () =>
        signIn.handle(
          new Request(new URL(request.url, pageOrigin(request, runtime)), {
            method: request.method,
            headers,
            ...(!isRead && { body: JSON.stringify(request.body ?? {}) }),
          }),
        );
      const path = request.url.split('?', 1)[0]?.slice(authPath.length) ?? '';
      const isSignedIn = path === '/two-factor/verify-totp' && (await signIn.findSession(headers)) !== null;
      const credentials = credentialsSchema.safeParse(request.body);
      const isPassword = path === '/sign-in/email' && credentials.success;
      const response = isPassword ? await signIn.limitAttempts(credentials.data.email, call) : await call();
      const cookies = response.headers.getSetCookie();
      if (response.ok && !isRead) await auditLibraryCall(runtime, { path, headers, isSignedIn, cookies });
      return sendResponse(reply, response);
    },
  });
}

/**
 * The origin of the page that calls. A write names it, and it was checked before; a proxy may hide its protocol from this
 * server.
 */
function pageOrigin({ method, protocol, host, headers }: FastifyRequest, { config }: Runtime): string {
  const isRead = method === 'GET';
  if (!isRead && headers.origin !== undefined) return headers.origin;
  return config.PUBLIC_URL ?? `${protocol}://${host}`;
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  const cookies = response.headers.getSetCookie();
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const waitSeconds = response.headers.get('x-retry-after');
  if (waitSeconds !== null) reply.header('retry-after', waitSeconds);
  return reply.send(withoutTokens(await response.text()));
}

/** The library repeats the token of the session in its answers. Only the cookie carries it. */
function withoutTokens(text: string): string {
  if (!text.includes('"token"')) return text;
  return JSON.stringify(JSON.parse(text, (key, value: unknown) => (key === 'token' ? undefined : value)));
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
  await auditLinkSignIn(runtime, cookies);
  return reply
    .header('set-cookie', [...cookies])
    .code(201)
    .send({ email });
}

function dependencies({ database, clock, signIn }: Runtime) {
  return { database: database.kysely, clock, signIn };
}
