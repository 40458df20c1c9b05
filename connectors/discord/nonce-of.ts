import { createHash } from 'node:crypto';

const MAX_CHARACTERS = 25;

/** The same for each try of a part, and no other's: Discord sends a message once for each within some minutes. */
export function nonceOf(accountId: string, key: string): string {
  return createHash('sha256').update(`${accountId} ${key}`).digest('base64url').slice(0, MAX_CHARACTERS);
}
