import type { FastifyRequest } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import { endRecoveryLinks } from '../../core/members/member-links.ts';
import type { Person } from '../../core/members/members.ts';
import { endSession, limitToSession, setSessionProof } from '../../core/members/sessions.ts';
import type { Session } from '../../core/members/sign-in.ts';
import { auditPerson } from '../../core/members/sign-in-audit.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { knownBrowserHeader, readCookies } from './browser-cookies.ts';
import type { LibraryOutcome } from './library-calls.ts';
import { mailSecurityNews } from './security-mail.ts';

interface LibraryExchange {
  readonly request: FastifyRequest;
  readonly outcome: LibraryOutcome;
  /** The session that the request carried. */
  readonly before: Session | null;
  /** The cookies of the response. */
  readonly cookies: readonly string[];
}

/**
 * Handles a session that a successful call of the sign-in library has started: stores how it began, writes the audit
 * log of the person's owners, and mails the person. Returns further cookies for the response. Throws
 * `sign_in_with_provider` if the session would open nothing.
 */
export async function settleLibraryCall(
  runtime: Runtime,
  { request, outcome, before, cookies }: LibraryExchange,
): Promise<readonly string[]> {
  // A sign-in sets a session, and other changes may replace it. Without a new one, the session of the request counts.
  const cookie = joinCookies([...(request.headers.cookie ?? '').split('; '), ...cookies]);
  const proof = outcome.proof ?? before?.proof ?? 'password';
  const provenAt = outcome.isProof === true ? runtime.clock.now() : (before?.provenAt ?? null);
  const settled = await settleSession(runtime, cookie, { ...outcome, proof, provenAt });
  if (settled === null) return [];
  const { person } = settled;
  const { database } = runtime;
  if (outcome.news !== undefined) mailSecurityNews(runtime, request, { person, news: outcome.news });
  if (outcome.audit.action === 'password_changed') await endRecoveryLinks(database.kysely, person.email);
  if (outcome.audit.action !== 'signed_in') return [];
  const known = await runtime.signIn.findKnownBrowser(person.email, readCookies(request));
  if (known === null) mailSecurityNews(runtime, request, { person, news: 'new_browser' });
  return [await makeKnown(runtime, person)];
}

/** A sign-in by a link also sets a password. The person knows about it, or gets a mail about the password. */
export async function settleLinkSignIn(
  runtime: Runtime,
  cookies: readonly string[],
): Promise<readonly string[]> {
  const settled = await settleSession(runtime, joinCookies(cookies), {
    audit: { action: 'signed_in', details: { by: 'link' } },
    proof: 'password',
    provenAt: runtime.clock.now(),
  });
  return settled === null ? [] : [await makeKnown(runtime, settled.person)];
}

async function makeKnown({ signIn, config }: Runtime, { email }: Person): Promise<string> {
  return knownBrowserHeader(config, await signIn.issueKnownBrowser(email));
}

interface Settlement extends Pick<LibraryOutcome, 'audit'>, Pick<Session, 'proof' | 'provenAt'> {}

/** Returns null without a session: a right password alone is no sign-in where a second factor follows. */
async function settleSession(
  runtime: Runtime,
  cookie: string,
  { audit, proof, provenAt }: Settlement,
): Promise<{ readonly person: Person } | null> {
  const { signIn, database, clock, members } = runtime;
  const session = await signIn.findSession(new Headers({ cookie }));
  const found = session === null ? null : await members.findPerson(session.personId);
  if (session === null || found === null) return null;
  await setSessionProof(database.kysely, session.id, { proof, provenAt });
  if (audit.action === 'signed_in') await admit(runtime, found, { ...session, proof });
  await auditPerson(database.kysely, { personId: session.personId, at: clock.now() }, audit);
  return { person: found.person };
}

type Found = NonNullable<Awaited<ReturnType<Runtime['members']['findPerson']>>>;

/** Ends a session that opens no workspace, because all owners of the person ask for the sign-in of their provider. */
async function admit({ database, signIn }: Runtime, found: Found, session: Session): Promise<void> {
  const [first] = found.memberships;
  if (first === undefined || found.person.isOperator) return;
  if (limitToSession(found, session).memberships.length > 0) return;
  await endSession(database.kysely, { personId: session.personId, id: session.id });
  const provider = await signIn.providers.find(first.ownerId);
  const detail = `${provider?.name ?? 'Your company'} asks for its own sign-in. Choose it on the sign-in page.`;
  throw new AppError('sign_in_with_provider', { detail });
}

/** The `Cookie` header of a browser that has received these, one after the other. */
export function joinCookies(cookies: readonly string[]): string {
  const byName = new Map(
    cookies.map((cookie) => {
      const pair = cookie.split(';', 1)[0] ?? '';
      return [pair.split('=', 1)[0], pair] as const;
    }),
  );
  return [...byName.values()].join('; ');
}
