import type { AuditChange } from '../../core/conversations/audit-log.ts';
import { auditPerson } from '../../core/members/sign-in-audit.ts';
import type { Runtime } from '../../core/runtime.ts';

interface LibraryExchange {
  /** Below the library's base path. */
  readonly path: string;
  /** The headers of the request. */
  readonly headers: Headers;
  /** Whether the request carried a session. */
  readonly isSignedIn: boolean;
  /** The cookies of the response. */
  readonly cookies: readonly string[];
}

type Dependencies = Pick<Runtime, 'signIn' | 'database' | 'clock'>;

/** Adds what a successful call of the sign-in library did to the audit log of the person's owners. */
export async function auditLibraryCall(
  dependencies: Dependencies,
  { path, headers, isSignedIn, cookies }: LibraryExchange,
): Promise<void> {
  const change = describeCall(path, isSignedIn);
  if (change === null) return;
  // A sign-in sets a session, other changes may replace it. Without a new one, the session of the request counts.
  const sent = new Headers({
    cookie: cookies.length > 0 ? joinCookies(cookies) : (headers.get('cookie') ?? ''),
  });
  await auditSession(dependencies, sent, change);
}

/** Adds a sign-in by a link to the audit log. */
export async function auditLinkSignIn(dependencies: Dependencies, cookies: readonly string[]): Promise<void> {
  const sent = new Headers({ cookie: joinCookies(cookies) });
  await auditSession(dependencies, sent, { action: 'signed_in', details: { by: 'link' } });
}

/** Does nothing without a session: a right password alone is no sign-in where a second factor follows. */
async function auditSession(
  { signIn, database, clock }: Dependencies,
  headers: Headers,
  change: AuditChange,
): Promise<void> {
  const session = await signIn.findSession(headers);
  if (session === null) return;
  await auditPerson(database.kysely, { personId: session.personId, at: clock.now() }, change);
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
