import { z } from 'zod';
import type { IdentityClaims } from '../../../core/workspaces/identity.ts';
import { boundedString } from '../../schemas/fields.ts';

const userSchema = z.object({
  user_id: boundedString({ min: 1, max: 200 }),
  hash: z.string().optional().meta({
    description:
      "The lower-case hexadecimal HMAC-SHA256 of user_id with the workspace's identity secret as the key.",
  }),
  name: boundedString({ max: 200 }).optional(),
  email: boundedString({ max: 320 }).optional(),
});

/** The identity of a visitor and its proof. */
export const identitySchema = z.object({
  user: userSchema.optional(),
  verification_token: z
    .string()
    .optional()
    .meta({ description: 'A JWT (HS256) that is signed with the identity secret.' }),
});

/** Returns the identity that a body claims, not yet verified. */
export function parseIdentity({ user, verification_token }: z.output<typeof identitySchema>): IdentityClaims {
  return {
    user:
      user === undefined
        ? null
        : { userId: user.user_id, hash: user.hash, name: user.name, email: user.email },
    token: verification_token ?? null,
  };
}
