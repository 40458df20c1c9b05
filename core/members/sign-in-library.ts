import { passkey } from '@better-auth/passkey';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { assertStrongPassword } from './password.ts';

export interface LibraryOptions {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  /** Signs cookies and encrypts second factors. */
  readonly secret: string;
  /** The address of the dashboard. Undefined: the address that each request names. */
  readonly publicUrl: string | undefined;
  readonly newId: () => string;
  readonly authPath: string;
  /** The header in which the server tells the library the client's address. */
  readonly addressHeader: string;
}

const HOUR = 3_600;

/** How long a session lasts without a request, in seconds. */
export const SESSION_IDLE_SECONDS = 12 * HOUR;

/** The dashboard has routes of its own for these, which write the audit log. */
const DISABLED_PATHS = [
  '/sign-up/email',
  '/sign-in/social',
  '/update-user',
  '/delete-user',
  '/change-email',
  '/request-password-reset',
  '/reset-password',
  '/send-verification-email',
  '/link-social',
  '/update-session',
  '/unlink-account',
  '/list-accounts',
  // They return tokens of sessions, which scripts of the page have no use for.
  '/get-session',
  '/list-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
];

const providerSessionSchema = z.object({ personId: z.string(), ownerId: z.string(), provenAt: z.date() });

/** Starts a session after a sign-in at an owner's provider. No route leads to it. */
const providerSessions = {
  id: 'provider-sessions',
  endpoints: {
    startProviderSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: providerSessionSchema },
      async (context) => {
        const { personId, ownerId, provenAt } = context.body;
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(personId);
        if (user === null) throw new AppError('member_not_found');
        const session = await internalAdapter.createSession(personId, false, {
          proof: 'provider',
          ownerId,
          provenAt,
        });
        await setSessionCookie(context, { session, user });
        return { id: session.id };
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** Opens the sign-in library on our tables. Importing this file takes up to a second: do it on the first use. */
export function openLibrary({
  database,
  log,
  secret,
  publicUrl,
  newId,
  authPath,
  addressHeader,
}: LibraryOptions) {
  const isSecure = publicUrl?.startsWith('https://') === true;
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Parley',
    ...(publicUrl !== undefined && { baseURL: new URL(publicUrl).origin }),
    basePath: authPath,
    secret,
    // The page and the requests of the dashboard have the same origin. The server checks it before each write.
    trustedOrigins: (request) => (request === undefined ? [] : [new URL(request.url).origin]),
    telemetry: { enabled: false },
    logger: { log: (level, message) => log[level]({ part: 'sign-in' }, message) },
    database: { db: database, type: 'postgres' },
    disabledPaths: DISABLED_PATHS,
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 128 },
    user: { modelName: 'person', fields: { ...times, emailVerified: 'email_verified' } },
    session: {
      modelName: 'person_session',
      fields: {
        ...times,
        userId: 'person_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      additionalFields: {
        proof: { type: 'string', required: false, input: false, fieldName: 'method' },
        provenAt: { type: 'date', required: false, input: false, fieldName: 'proven_at' },
        ownerId: { type: 'string', required: false, input: false, fieldName: 'owner_id' },
      },
      expiresIn: SESSION_IDLE_SECONDS,
      updateAge: HOUR / 4,
      // Calls that cannot be undone need a fresh proof, which the server asks for.
      freshAge: 0,
    },
    account: {
      modelName: 'person_account',
      encryptOAuthTokens: true,
      fields: {
        ...times,
        userId: 'person_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    verification: { modelName: 'person_verification', fields: { ...times, expiresAt: 'expires_at' } },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'sign_in_rate',
      fields: { lastRequest: 'last_request' },
      window: 60,
      max: 100,
      customRules: { '/sign-in/*': { window: 60, max: 20 }, '/two-factor/verify-*': { window: 60, max: 10 } },
    },
    advanced: {
      cookiePrefix: 'parley',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      cookies: { session_token: { name: isSecure ? '__Host-parley' : 'parley' } },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: newId },
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        if (context.path !== '/change-password') return undefined;
        const password: unknown = context.body?.newPassword;
        if (typeof password === 'string') assertStrongPassword(password, '');
        // A new password ends all other sessions.
        return { context: { body: { ...context.body, revokeOtherSessions: true } } };
      }),
    },
    onAPIError: {
      // Anything but the library's own answers is handled as any other fault of a request.
      onError: (error) => {
        if (error instanceof AppError) throw error;
      },
    },
    plugins: [
      providerSessions,
      twoFactor({
        issuer: 'Parley',
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'person_two_factor',
            fields: {
              backupCodes: 'backup_codes',
              userId: 'person_id',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      passkey({
        rpName: 'Parley',
        schema: {
          passkey: {
            modelName: 'person_passkey',
            fields: {
              publicKey: 'public_key',
              userId: 'person_id',
              credentialID: 'credential_id',
              deviceType: 'device_type',
              backedUp: 'backed_up',
              createdAt: 'created_at',
            },
          },
        },
      }),
    ],
  });
}

export type SignInLibrary = ReturnType<typeof openLibrary>;
