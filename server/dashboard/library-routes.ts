import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import { endSession } from '../../core/members/sessions.ts';
import { authPath } from '../../core/members/sign-in.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { assertFreshProof } from '../plugins/fresh-proof.ts';
import { libraryHeaders } from '../plugins/operator-access.ts';
import type { TypedApp } from '../typed-app.ts';
import { joinCookies, settleLibraryCall } from './audit-sign-in.ts';
import { readCookies } from './browser-cookies.ts';
import { type Caller, findLibraryCall, isConfirmation, type LibraryCall } from './library-calls.ts';

/** Hands the calls of the table to the sign-in library, with the limits and the rules of their entries. */
export function libraryRoutes(app: TypedApp, runtime: Runtime): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${authPath}/*`,
    schema: { hide: true },
    handler: async (request, reply) => {
      const call = findLibraryCall(request);
      const headers = libraryHeaders(request);
      const caller =
        call.method === 'POST' || call.needs !== undefined ? await findCaller(runtime, headers) : null;
      if (caller !== null) assertMayCall(call, caller, runtime.clock.now());
      const response = await limitCall(runtime, { call, caller, request }, () =>
        useCode(runtime, { call, caller, request }, () => sendToLibrary(runtime, request, call)),
      );
      const cookies = response.headers.getSetCookie();
      const outcome = response.ok ? call.outcome?.(caller) : undefined;
      const added =
        outcome === undefined
          ? []
          : await settleLibraryCall(runtime, { request, outcome, before: caller?.session ?? null, cookies });
      return sendResponse(reply, response, [...cookies, ...added]);
    },
  });
}

/** Sends a call to the library by the address of its entry. The library never sees the address that the client wrote. */
export function sendToLibrary(
  runtime: Runtime,
  request: FastifyRequest,
  { method, path, fields = [] }: Pick<LibraryCall, 'method' | 'path' | 'fields'>,
): Promise<Response> {
  const body = bodySchema.parse(request.body);
  const passed = Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
  return runtime.signIn.handle(
    new Request(new URL(authPath + path, pageOrigin(request, runtime)), {
      method,
      headers: libraryHeaders(request),
      ...(method === 'POST' && { body: JSON.stringify(passed) }),
    }),
  );
}

const bodySchema = z.record(z.string(), z.unknown()).catch({});
const emailSchema = z.object({ email: z.string() });
const codeSchema = z.object({ code: z.string() });

async function findCaller({ signIn, members }: WorkspaceServices, headers: Headers): Promise<Caller | null> {
  const session = await signIn.findSession(headers);
  const found = session === null ? null : await members.findPerson(session.personId);
  return session === null || found === null ? null : { session, person: found.person };
}

/**
 * Keeps passwords, passkeys and second factors from sessions that a provider vouches for. The provider's operator
 * could otherwise add one of their own to a person, which opens the workspaces of other owners too. A session alone
 * changes none of them either. Throws `permission_denied` and `proof_required`.
 */
function assertMayCall(
  { isOpenToProviders, needs }: LibraryCall,
  { session, person }: Caller,
  now: Date,
): void {
  if (session.ownerId !== null && isOpenToProviders !== true) {
    throw new AppError('permission_denied', {
      detail:
        'You signed in through your company, which looks after your sign-in. Sign in with your password or passkey to change them.',
    });
  }
  const isProvenByCall = needs === 'password' && !person.twoFactorEnabled;
  if (needs !== undefined && !isProvenByCall) assertFreshProof(session, now);
}

interface Attempt {
  readonly call: LibraryCall;
  readonly caller: Caller | null;
  readonly request: FastifyRequest;
}

async function limitCall(
  { signIn }: WorkspaceServices,
  { call, caller, request }: Attempt,
  run: () => Promise<Response>,
): Promise<Response> {
  const credentials = emailSchema.safeParse(request.body);
  if (call.limit === 'account' && credentials.success) {
    const { email } = credentials.data;
    const browser = await signIn.findKnownBrowser(email, readCookies(request));
    return signIn.limitAttempts({ email, browser }, run);
  }
  if (call.limit === 'person' && caller !== null) return signIn.limitProofs(caller.session.personId, run);
  return run();
}

/** Of two sign-ins with the same code of an app, one is refused, and its session ends before anybody has its cookie. */
async function useCode(
  { signIn, database }: Runtime,
  { call, caller, request }: Attempt,
  run: () => Promise<Response>,
): Promise<Response> {
  const response = await run();
  if (call.hasTimeCode !== true || !response.ok || isConfirmation(caller)) return response;
  const cookie = joinCookies(response.headers.getSetCookie());
  const session = caller?.session ?? (await signIn.findSession(new Headers({ cookie })));
  const { data } = codeSchema.safeParse(request.body);
  if (session !== null && data !== undefined && (await signIn.useTimeCode(session.personId, data.code))) {
    return response;
  }
  if (session !== null && caller === null) await endSession(database.kysely, session);
  return Response.json({ code: 'INVALID_CODE', message: 'Invalid code' }, { status: 401 });
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

async function sendResponse(
  reply: FastifyReply,
  response: Response,
  cookies: readonly string[],
): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
  const waitSeconds = response.headers.get('x-retry-after');
  if (waitSeconds !== null) reply.header('retry-after', waitSeconds);
  return reply.send(withoutTokens(await response.text()));
}

/** The library repeats the token of the session in its answers. Only the cookie carries it. */
function withoutTokens(text: string): string {
  if (!text.includes('"token"')) return text;
  return JSON.stringify(JSON.parse(text, (key, value: unknown) => (key === 'token' ? undefined : value)));
}
