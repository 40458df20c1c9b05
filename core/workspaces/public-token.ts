import { randomBytes } from 'node:crypto';
import { endOfGrace, type Rotated, type Rotation } from './secret-rotation.ts';

/** Opens a widget: browsers carry it, so it is no secret, but nobody guesses it. */
export function newPublicToken(): string {
  return `pub_${randomBytes(18).toString('base64url')}`;
}

/** A new token with what the row is to hold of it and of `current`, its predecessor. */
export function rotateToken(current: string, grace: Rotation & { readonly now: Date }) {
  const secret = newPublicToken();
  const previousValidUntil = endOfGrace(grace);
  const isKept = grace.graceSeconds > 0;
  return {
    secret,
    previousValidUntil,
    columns: {
      public_token: secret,
      previous_public_token: isKept ? current : null,
      previous_public_token_until: isKept ? previousValidUntil : null,
    },
  } satisfies Rotated & { readonly columns: object };
}
