import type { AuditChange } from '../../core/audit/audit-log.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Person } from '../../core/members/members.ts';
import type { SessionProof } from '../../core/members/sessions.ts';
import { authPath, type Session } from '../../core/members/sign-in.ts';
import type { SecurityNews } from './security-mail.ts';

/** The person whose session a request carries. */
export interface Caller {
  readonly session: Session;
  readonly person: Person;
}

/** The meaning of a successful call. */
export interface LibraryOutcome {
  readonly audit: AuditChange;
  /** The proof of the session afterwards. Absent: as before. */
  readonly proof?: SessionProof['proof'];
  /** Whether the call has just proven who the person is. */
  readonly isProof?: true;
  /** News of which the person is told by mail. */
  readonly news?: SecurityNews;
}

/** A call of the sign-in library that browsers may make. There are no others. */
export interface LibraryCall {
  readonly method: 'GET' | 'POST';
  /** The path below the library's base path. Requests are compared with it as they are written. */
  readonly path: string;
  /** The fields of the body that the library gets. */
  readonly fields?: readonly string[];
  /** Failed attempts count against the account in the body, or against the person who is signed in. */
  readonly limit?: 'account' | 'person';
  /** Whether a session that a provider vouches for may call it. */
  readonly isOpenToProviders?: true;
  /** `fresh`: a fresh proof. `password`: the same, or the password in the body for a person without a second factor. */
  readonly needs?: 'fresh' | 'password';
  /** Whether the body has a code of an authenticator app, which works once. */
  readonly hasTimeCode?: true;
  readonly outcome?: (caller: Caller | null) => LibraryOutcome;
}

const signedIn = (details: AuditChange['details']): AuditChange => ({ action: 'signed_in', details });

const libraryCalls: readonly LibraryCall[] = [
  {
    method: 'POST',
    path: '/sign-in/email',
    fields: ['email', 'password'],
    limit: 'account',
    isOpenToProviders: true,
    outcome: () => ({ audit: signedIn({ by: 'password' }), proof: 'password', isProof: true }),
  },
  { method: 'POST', path: '/sign-out', isOpenToProviders: true },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    fields: ['code'],
    limit: 'person',
    hasTimeCode: true,
    outcome: (caller) => ({
      audit:
        caller === null
          ? signedIn({ by: 'password', second_factor: 'code' })
          : isConfirmation(caller)
            ? { action: 'two_factor_changed', details: { enabled: true } }
            : { action: 'identity_proven', details: { by: 'code' } },
      proof: 'second_factor',
      isProof: true,
    }),
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    fields: ['code'],
    limit: 'person',
    outcome: (caller) => ({
      audit:
        caller === null
          ? signedIn({ by: 'password', second_factor: 'backup_code' })
          : { action: 'identity_proven', details: { by: 'backup_code' } },
      proof: 'second_factor',
      isProof: true,
    }),
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    fields: ['password'],
    limit: 'person',
    needs: 'password',
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    fields: ['password'],
    limit: 'person',
    needs: 'password',
    outcome: (caller) => ({
      audit: { action: 'two_factor_changed', details: { enabled: false } },
      ...(caller?.session.proof === 'second_factor' && { proof: 'password' }),
      news: 'second_factor_removed',
    }),
  },
  {
    method: 'POST',
    path: '/change-password',
    fields: ['currentPassword', 'newPassword'],
    limit: 'person',
    needs: 'password',
    outcome: () => ({
      audit: { action: 'password_changed', details: { by: 'person' } },
      news: 'password_changed',
    }),
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', isOpenToProviders: true },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    fields: ['response'],
    isOpenToProviders: true,
    outcome: () => ({ audit: signedIn({ by: 'passkey' }), proof: 'passkey', isProof: true }),
  },
  { method: 'GET', path: '/passkey/list-user-passkeys', isOpenToProviders: true },
  { method: 'GET', path: '/passkey/generate-register-options', needs: 'fresh' },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    fields: ['response', 'name'],
    needs: 'fresh',
    outcome: () => ({ audit: { action: 'passkey_added', details: {} }, news: 'passkey_added' }),
  },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    fields: ['id'],
    needs: 'fresh',
    outcome: () => ({ audit: { action: 'passkey_removed', details: {} }, news: 'passkey_removed' }),
  },
];

const callsByRequest = new Map(libraryCalls.map((call) => [`${call.method} ${authPath}${call.path}`, call]));

/**
 * Returns the call that a request names. The address is compared as it was written: `/./`, `%2e`, `//` and `#` are addresses of
 * nothing. Throws `route_not_found`.
 */
export function findLibraryCall({
  method,
  url,
}: {
  readonly method: string;
  readonly url: string;
}): LibraryCall {
  const call = callsByRequest.get(`${method} ${url.split('?', 1)[0] ?? ''}`);
  if (call === undefined) throw new AppError('route_not_found');
  return call;
}

/** Returns true while a person sets up their second factor: the code shows that the app works, and opens nothing. */
export function isConfirmation(caller: Caller | null): boolean {
  return caller !== null && !caller.person.twoFactorEnabled;
}
