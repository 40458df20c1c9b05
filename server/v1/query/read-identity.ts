import type { z } from 'zod';
import type { IdentityClaims } from '../../../core/workspaces/identity.ts';
import type { identitySchema } from './identity-schema.ts';

/** What a body says of the visitor, to be verified. */
export function readIdentity({ user, verification_token }: z.output<typeof identitySchema>): IdentityClaims {
  return {
    user:
      user === undefined
        ? null
        : { userId: user.user_id, hash: user.hash, name: user.name, email: user.email },
    token: verification_token ?? null,
  };
}
