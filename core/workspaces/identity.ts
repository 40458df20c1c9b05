import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { z } from 'zod';
import type { Customer } from '../conversations/turn.ts';
import { AppError } from '../errors.ts';

/** What a caller says about the visitor, to be verified. */
export interface IdentityClaims {
  readonly user: {
    readonly userId: string;
    /** Lower-case hexadecimal HMAC-SHA256 of `userId` under the workspace's identity secret. */
    readonly hash?: string | undefined;
    readonly name?: string | undefined;
    readonly email?: string | undefined;
  } | null;
  /** A JWT (HS256) under the same secret. */
  readonly token: string | null;
}

/** A visitor whose identity was proven. */
export interface VerifiedVisitor {
  readonly userId: string;
  /** Tags that the visitor carries, beside those of the request. */
  readonly audience: readonly string[];
  /** The address is verified only if the token has it: a hash covers the user id alone. */
  readonly customer: Customer;
}

interface VerifyOptions {
  /** A proof under any of them holds. */
  readonly identitySecrets: readonly string[];
  readonly now: Date;
}

const tokenClaims = z.object({
  sub: z.string().min(1),
  audience: z.union([z.array(z.string()), z.string().transform((tag) => [tag])]).default([]),
  name: z.string().optional(),
  email: z.string().optional(),
});

/**
 * Checks every proof that was given: a hash, a token, or both. Null when there is none, so that the visitor is
 * anonymous. Throws `verification_required` for a proof that does not hold.
 */
export async function verifyIdentity(
  claims: IdentityClaims,
  options: VerifyOptions,
): Promise<VerifiedVisitor | null> {
  const { user, token } = claims;
  if (user?.hash !== undefined && !matchesHash(user.userId, user.hash, options.identitySecrets)) {
    throw new AppError('verification_required', { detail: 'user.hash does not fit user.user_id.' });
  }
  if (token === null) return user?.hash === undefined ? null : visitorFromClaims(user.userId, [], user);
  const { sub, audience, ...told } = await parseToken(token, options);
  if (user !== null && user.userId !== sub) {
    throw new AppError('verification_required', {
      detail: 'verification_token is of another user than user.user_id.',
    });
  }
  const customer = { name: told.name ?? user?.name, email: told.email ?? user?.email };
  return visitorFromClaims(sub, audience, { ...customer, emailVerified: told.email !== undefined });
}

interface Told {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly emailVerified?: boolean;
}

function visitorFromClaims(
  userId: string,
  audience: readonly string[],
  { name = null, email = null, emailVerified = false }: Told,
): VerifiedVisitor {
  return { userId, audience, customer: { name, email, emailVerified, phone: null } };
}

function matchesHash(userId: string, hash: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(hash);
  const matches = secrets.map((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(userId).digest('hex'));
    return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
  });
  return matches.includes(true);
}

async function parseToken(
  token: string,
  { identitySecrets, now }: VerifyOptions,
): Promise<z.output<typeof tokenClaims>> {
  // Loaded only where a visitor shows a token: the library has some fifty files.
  const { jwtVerify } = await import('jose');
  let payload: JWTPayload | undefined;
  let cause: unknown;
  for (const secret of identitySecrets) {
    try {
      const verified = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'exp'],
        currentDate: now,
      });
      payload ??= verified.payload;
    } catch (error) {
      cause ??= error;
    }
  }
  if (payload === undefined) {
    throw new AppError('verification_required', {
      detail: 'verification_token is not valid, or has expired.',
      cause,
    });
  }
  const claims = tokenClaims.safeParse(payload);
  if (claims.success) return claims.data;
  throw new AppError('verification_required', {
    detail: `verification_token has a claim of a wrong type: ${claims.error.issues[0]?.path.join('.')}.`,
  });
}
