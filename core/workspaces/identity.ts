import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { Customer } from '../contract/conversation-values.ts';
import type { WorkspaceSettings } from './workspace-settings.ts';

/** Identity claims of a request, before verification. */
export interface IdentityClaims {
  readonly user: {
    readonly userId: string;
    /** Lower-case hexadecimal HMAC-SHA256 of `userId`, keyed with the workspace's identity secret. */
    readonly hash?: string | undefined;
    readonly name?: string | undefined;
    readonly email?: string | undefined;
  } | null;
  /** A JWT (HS256) signed with the same secret. */
  readonly token: string | null;
}

/** A visitor with a verified identity. */
export interface VerifiedVisitor {
  readonly userId: string;
  /** The visitor's audience tags, in addition to those of the request. */
  readonly audience: readonly string[];
  /** The email is only verified if the token contains it, because the hash covers the user id alone. */
  readonly customer: Customer;
}

type AudienceSettings = Pick<WorkspaceSettings, 'audiences' | 'plan_audiences'>;

interface VerifyOptions {
  /** A proof made with any of these secrets is valid. */
  readonly identitySecrets: readonly string[];
  /** Those of the workspace say which audiences the plan of a token opens. */
  readonly settings: AudienceSettings;
  readonly now: Date;
}

const tokenClaims = z.object({
  sub: z.string().min(1),
  audience: z.union([z.array(z.string()), z.string().transform((tag) => [tag])]).default([]),
  plan: z.string().min(1).max(64).optional(),
  name: z.string().optional(),
  email: z.string().optional(),
});

/**
 * Verifies all given proofs: a hash, a token, or both. Returns null if there is none, for an anonymous visitor.
 * Throws `verification_required` for an invalid proof.
 */
export async function verifyIdentity(
  claims: IdentityClaims,
  options: VerifyOptions,
): Promise<VerifiedVisitor | null> {
  const { user, token } = claims;
  if (user?.hash !== undefined && !matchesHash(user.userId, user.hash, options.identitySecrets)) {
    throw new AppError('verification_required', { detail: 'user.hash does not match user.user_id.' });
  }
  if (token === null) return user?.hash === undefined ? null : visitorFromClaims(user.userId, [], user);
  const { sub, audience, plan, ...claimed } = await parseToken(token, options);
  if (user !== null && user.userId !== sub) {
    throw new AppError('verification_required', {
      detail: 'verification_token belongs to a different user than user.user_id.',
    });
  }
  const customer = { name: claimed.name ?? user?.name, email: claimed.email ?? user?.email };
  return visitorFromClaims(sub, [...audience, ...planAudiences(plan, options.settings)], {
    ...customer,
    emailVerified: claimed.email !== undefined,
  });
}

interface ClaimedCustomer {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly emailVerified?: boolean;
}

/** Returns the audiences that a plan opens: those of the setting, else the one of the same name. Pure. */
export function planAudiences(
  plan: string | undefined,
  { audiences = [], plan_audiences: byPlan }: AudienceSettings,
): readonly string[] {
  if (plan === undefined) return [];
  const opened = byPlan === undefined ? [plan] : Object.hasOwn(byPlan, plan) ? byPlan[plan] : [];
  return (opened ?? []).filter((tag) => audiences.includes(tag));
}

function visitorFromClaims(
  userId: string,
  audience: readonly string[],
  { name = null, email = null, emailVerified = false }: ClaimedCustomer,
): VerifiedVisitor {
  return { userId, audience, customer: { name, email, emailVerified, phone: null } };
}

function matchesHash(userId: string, hash: string, secrets: readonly string[]): boolean {
  const received = Buffer.from(hash);
  const matches = secrets.map((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(userId).digest('hex'));
    return received.byteLength === expected.byteLength && timingSafeEqual(received, expected);
  });
  return matches.includes(true);
}

async function parseToken(
  token: string,
  { identitySecrets, now }: VerifyOptions,
): Promise<z.output<typeof tokenClaims>> {
  // The import is lazy, because the library consists of about fifty files.
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
      detail: 'verification_token is invalid or has expired.',
      cause,
    });
  }
  const claims = tokenClaims.safeParse(payload);
  if (claims.success) return claims.data;
  throw new AppError('verification_required', {
    detail: `verification_token contains a claim of the wrong type: ${claims.error.issues[0]?.path.join('.')}.`,
  });
}
