import { z } from 'zod';
import type { IdentityClaims } from '../../../core/workspaces/identity.ts';
import { boundedString } from '../../schemas/fields.ts';

const userSchema = z.object({
  user_id: boundedString({ min: 1, max: 200 }),
  hash: z.string().optional().meta({
    description: "Lower-case hexadecimal HMAC-SHA256 of user_id under the workspace's identity secret.",
  }),
  name: boundedString({ max: 200 }).optional(),
  email: boundedString({ max: 320 }).optional(),
});

/** Who a visitor is, and what proves it. */
export const identitySchema = z.object({
  user: userSchema.optional(),
  verification_token: z.string().optional().meta({ description: 'A JWT (HS256) under the identity secret.' }),
});

/** What a body says of the visitor, to be verified. */
export function parseIdentity({ user, verification_token }: z.output<typeof identitySchema>): IdentityClaims {
  return {
    user:
      user === undefined
        ? null
        : { userId: user.user_id, hash: user.hash, name: user.name, email: user.email },
    token: verification_token ?? null,
  };
}
