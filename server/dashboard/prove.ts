import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import type { Person } from '../../core/members/members.ts';
import { endSession, type SessionProof, setSessionProof } from '../../core/members/sessions.ts';
import type { Session } from '../../core/members/sign-in.ts';
import { auditPerson } from '../../core/members/sign-in-audit.ts';
import type { WorkspaceServices } from '../../core/runtime/open-workspaces.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { proofRequired } from '../plugins/fresh-proof.ts';
import { libraryHeaders } from '../plugins/operator-access.ts';
import { boundedString } from '../schemas/fields.ts';
import type { TypedApp } from '../typed-app.ts';
import { joinCookies } from './audit-sign-in.ts';
import { sendToLibrary } from './library-routes.ts';

const waySchema = z.enum(['password', 'code', 'passkey']);
type Way = z.output<typeof waySchema>;

const hidden = { hide: true };
const getSchema = {
  ...hidden,
  response: {
    200: z.object({
      /** Empty: the session can prove nothing here. */
      ways: z.array(waySchema),
      /** The provider that vouches for the session. Null: the person signed in here. */
      provider: z.string().nullable(),
    }),
  },
};

/** As the sign-in library answers. */
const faultSchema = z.object({ code: z.string(), message: z.string() });

const postSchema = {
  ...hidden,
  body: z.union([
    z.object({ password: boundedString({ min: 1, max: 1_000 }) }),
    z.object({ code: boundedString({ min: 1, max: 40 }) }),
    z.object({ response: z.record(z.string(), z.unknown()) }),
  ]),
  response: { 200: z.object({ proven_at: z.iso.datetime() }), 401: faultSchema },
};

/**
 * Registers how a signed-in person proves again who they are, before something that cannot be undone. A person with a second
 * factor gives its code; the password alone is not enough for them.
 */
export function proveRoutes(app: TypedApp, runtime: Runtime): void {
  app.get('/dashboard/prove', { schema: getSchema }, async (request, reply) => {
    const { session, person } = await findProver(runtime, request, reply);
    const provider = session.ownerId === null ? null : await runtime.signIn.providers.find(session.ownerId);
    return { ways: [...(await findWays(runtime, { session, person }))], provider: provider?.name ?? null };
  });
  app.post('/dashboard/prove', { schema: postSchema }, async (request, reply) => {
    const prover = await findProver(runtime, request, reply);
    const { session, person } = prover;
    const { clock, database, signIn } = runtime;
    const way: Way = 'password' in request.body ? 'password' : 'code' in request.body ? 'code' : 'passkey';
    if (!(await findWays(runtime, prover)).includes(way)) throw proofRequired(session);
    const answer = await signIn.limitProofs(person.id, () => checks[way](runtime, request, prover));
    if (answer.status === 429) throw new AppError('rate_limit_minute');
    if (!answer.ok) {
      const { data } = faultSchema.safeParse(await answer.json());
      return reply.code(401).send(data ?? { code: 'INVALID_PASSKEY', message: 'The proof is wrong' });
    }
    const provenAt = clock.now();
    const proof = proofs[way] ?? session.proof;
    await setSessionProof(database.kysely, session.id, { proof, provenAt });
    const change = { action: 'identity_proven', details: { by: way } } as const;
    await auditPerson(database.kysely, { personId: person.id, at: provenAt }, change);
    return { proven_at: provenAt.toISOString() };
  });
}

/** A password does not weaken a session that began with a passkey. */
const proofs: Readonly<Record<Way, SessionProof['proof'] | null>> = {
  password: null,
  code: 'second_factor',
  passkey: 'passkey',
};

interface Prover {
  readonly session: Session;
  readonly person: Person;
}

/** Throws `invalid_session`. */
async function findProver(
  { signIn, members }: WorkspaceServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Prover> {
  const session = await signIn.findSession(libraryHeaders(request));
  const found = session === null ? null : await members.findPerson(session.personId);
  if (session === null || found === null) {
    throw new AppError('invalid_session', { detail: 'The session has ended. Sign in again.' });
  }
  if (session.cookies.length > 0) reply.header('set-cookie', [...session.cookies]);
  return { session, person: found.person };
}

async function findWays(
  { members }: WorkspaceServices,
  { session, person }: Prover,
): Promise<readonly Way[]> {
  if (session.ownerId !== null) return [];
  const knows = person.twoFactorEnabled ? 'code' : 'password';
  const [hasPassword, hasPasskey] = await Promise.all([
    members.hasPassword(person.id),
    members.hasPasskey(person.id),
  ]);
  return [
    ...(hasPassword || person.twoFactorEnabled ? ([knows] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
  ];
}

type Check = (runtime: Runtime, request: FastifyRequest, prover: Prover) => Promise<Response>;

const checks: Readonly<Record<Way, Check>> = {
  password: (runtime, request) =>
    sendToLibrary(runtime, request, { method: 'POST', path: '/verify-password', fields: ['password'] }),
  code: checkCode,
  passkey: checkPasskey,
};

const codeSchema = z.object({ code: z.string() });

/** Six digits are of the app, anything else is a backup code. */
async function checkCode(runtime: Runtime, request: FastifyRequest, { person }: Prover): Promise<Response> {
  const { code } = codeSchema.parse(request.body);
  const isOfApp = /^\d{6}$/.test(code);
  const path = isOfApp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const response = await sendToLibrary(runtime, request, { method: 'POST', path, fields: ['code'] });
  if (!response.ok || !isOfApp || (await runtime.signIn.useTimeCode(person.id, code))) return response;
  return Response.json({ code: 'INVALID_CODE', message: 'Invalid code' }, { status: 401 });
}

/** The library signs in with a passkey. The new session ends at once: it has only shown who the person is. */
async function checkPasskey(
  runtime: Runtime,
  request: FastifyRequest,
  { person }: Prover,
): Promise<Response> {
  const { signIn, database } = runtime;
  const path = '/passkey/verify-authentication';
  const response = await sendToLibrary(runtime, request, { method: 'POST', path, fields: ['response'] });
  if (!response.ok) return response;
  const cookie = joinCookies(response.headers.getSetCookie());
  const begun = await signIn.findSession(new Headers({ cookie }));
  if (begun !== null) await endSession(database.kysely, begun);
  if (begun?.personId === person.id) return response;
  return Response.json(
    { code: 'INVALID_PASSKEY', message: 'This passkey belongs to another account' },
    { status: 401 },
  );
}
