import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';

/** Returns the header of a caller who has done the work. */
export function solveChallenge(challenge: string): string {
  const zeros = '0'.repeat(Number(decodeJwt(challenge).bits));
  for (let nonce = 0; ; nonce += 1) {
    const hash = createHash('sha256').update(`${challenge}.${nonce}`).digest('hex');
    const bits = Number.parseInt(hash.slice(0, 8), 16).toString(2).padStart(32, '0');
    if (bits.startsWith(zeros)) return `${challenge} ${nonce}`;
  }
}
