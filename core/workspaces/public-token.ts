import { randomBytes } from 'node:crypto';

/** Opens a widget: browsers carry it, so it is no secret, but nobody guesses it. */
export function newPublicToken(): string {
  return `pub_${randomBytes(18).toString('base64url')}`;
}
