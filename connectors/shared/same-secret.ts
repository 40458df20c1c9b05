import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that tells nothing of either, not even how long they are. An empty secret equals nothing. */
export function sameSecret(shown: string | undefined, secret: string): boolean {
  if (shown === undefined || secret === '') return false;
  return timingSafeEqual(digest(shown), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
