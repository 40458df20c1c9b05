import type { AuditChange } from '../../core/conversations/audit-log.ts';
import { AppError } from '../../core/errors.ts';
import {
  endSession,
  limitToSession,
  type SessionProof,
  setSessionMethod,
} from '../../core/members/sessions.ts';
import type { Session } from '../../core/members/sign-in.ts';
import { auditPerson } from '../../core/members/sign-in-audit.ts';
import type { Runtime } from '../../core/runtime.ts';

interface LibraryExchange {
  /** Below the library's base path. */
  readonly path: string;
  /** The headers of the request. */
  readonly headers: Headers;
  /** The session that the request carried. */
  readonly before: Session | null;
  /** The cookies of the response. */
  readonly cookies: readonly string[];
}

type Dependencies = Pick<Runtime, 'signIn' | 'database' | 'clock' | 'members'>;

/**
 * Notes how a session began that a successful call of the sign-in library has started, and adds what the call did to the audit
 * log of the person's owners. Throws `sign_in_with_provider` if the session would open nothing.
 */
export async function settleLibraryCall(
  dependencies: Dependencies,
  { path, headers, before, cookies }: LibraryExchange,
): Promise<void> {
  const change = describeCall(path, before !== null);
  if (change === null) return;
  // A sign-in sets a session, other changes may replace it. Without a new one, the session of the request counts.
  const sent = new Headers({
    cookie: cookies.length > 0 ? joinCookies(cookies) : (headers.get('cookie') ?? ''),
  });
  await settleSession(dependencies, sent, { change, method: methodAfter(path, before) });
}

/** The same for a sign-in by a link, which sets a password. */
export async function settleLinkSignIn(
  dependencies: Dependencies,
  cookies: readonly string[],
): Promise<void> {
  const sent = new Headers({ cookie: joinCookies(cookies) });
  const change = { action: 'signed_in', details: { by: 'link' } } as const;
  await settleSession(dependencies, sent, { change, method: null });
}

interface Settlement {
  readonly change: AuditChange;
  readonly method: SessionProof['method'];
}

/** Does nothing without a session: a right password alone is no sign-in where a second factor follows. */
async function settleSession(
  dependencies: Dependencies,
  headers: Headers,
  { change, method }: Settlement,
): Promise<void> {
  const { signIn, database, clock } = dependencies;
  const session = await signIn.findSession(headers);
  if (session === null) return;
  if (session.method !== method) await setSessionMethod(database.kysely, session.id, method);
  if (change.action === 'signed_in') await admit(dependencies, { ...session, method });
  await auditPerson(database.kysely, { personId: session.personId, at: clock.now() }, change);
}

/** Ends a session that opens no workspace, because all owners of the person ask for the sign-in of their provider. */
async function admit({ members, database, signIn }: Dependencies, session: Session): Promise<void> {
  const found = await members.findPerson(session.personId);
  const [first] = found?.memberships ?? [];
  if (found === null || first === undefined || found.person.isOperator) return;
  if (limitToSession(found, session).memberships.length > 0) return;
  await endSession(database.kysely, { personId: session.personId, id: session.id });
  const provider = await signIn.providers.find(first.ownerId);
  const detail = `${provider?.name ?? 'Your company'} asks for its own sign-in. Choose it on the sign-in page.`;
  throw new AppError('sign_in_with_provider', { detail });
}

/** The library replaces the session of a person who changes their password or their second factor. */
function methodAfter(path: string, before: Session | null): SessionProof['method'] {
  const known = before?.method ?? null;
  if (path.startsWith('/two-factor/verify-')) return 'second_factor';
  if (path === '/passkey/verify-authentication') return 'passkey';
  if (path === '/sign-in/email') return null;
  return path === '/two-factor/disable' && known === 'second_factor' ? null : known;
}

function describeCall(path: string, isSignedIn: boolean): AuditChange | null {
  switch (path) {
    case '/sign-in/email':
      return { action: 'signed_in', details: { by: 'password' } };
    case '/two-factor/verify-backup-code':
      return { action: 'signed_in', details: { by: 'password', second_factor: 'backup_code' } };
    case '/passkey/verify-authentication':
      return { action: 'signed_in', details: { by: 'passkey' } };
    case '/two-factor/verify-totp':
      return isSignedIn
        ? { action: 'two_factor_changed', details: { enabled: true } }
        : { action: 'signed_in', details: { by: 'password', second_factor: 'code' } };
    case '/two-factor/disable':
      return { action: 'two_factor_changed', details: { enabled: false } };
    case '/passkey/verify-registration':
      return { action: 'passkey_added', details: {} };
    case '/passkey/delete-passkey':
      return { action: 'passkey_removed', details: {} };
    case '/change-password':
      return { action: 'password_changed', details: { by: 'person' } };
    default:
      return null;
  }
}

function joinCookies(cookies: readonly string[]): string {
  return cookies.map((cookie) => cookie.split(';', 1)[0] ?? '').join('; ');
}
