import { tokenClaims } from './token-claims.ts';

/** So many tries between two looks at what else the page has to do. */
const together = 256;

/**
 * The answer to a challenge of the server: it, and a number behind it with which its hash begins with as many zero bits
 * as it says. The browser hashes beside the page's own thread. Null where it does not: on pages without https.
 */
export async function solveChallenge(challenge: string): Promise<string | null> {
  const { bits } = tokenClaims(challenge);
  if (!isSecureContext || !bits) return null;
  const encoder = new TextEncoder();
  const isRight = async (nonce: number) => {
    const hash = await crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${nonce}`));
    return new DataView(hash).getUint32(0) >>> (32 - bits) === 0;
  };
  for (let from = 0; ; from += together) {
    const right = await Promise.all(Array.from({ length: together }, (_, index) => isRight(from + index)));
    const found = right.indexOf(true);
    if (found !== -1) return `${challenge} ${from + found}`;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
