import { createHash, randomBytes } from 'node:crypto';

const bytes = 32;

/** What a browser shows to be taken for its visitor: nobody guesses it, and it is not kept here. */
export function newSessionToken(): string {
  return `vs_${randomBytes(bytes).toString('base64url')}`;
}

/** What is kept of it. */
export function sessionTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
