import { createHash } from 'node:crypto';
import stringify from 'safe-stable-stringify';

/**
 * What two requests have in common exactly when they ask for the same: the SHA-256, in lower-case hexadecimal, of the
 * operation and the JSON value of the body. Clients that retry often write the body anew, with its names in another
 * order.
 */
export function requestHash(operation: string, body: unknown): string {
  return createHash('sha256')
    .update(`${operation}\n${stringify(body)}`)
    .digest('hex');
}
