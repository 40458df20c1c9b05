import { createHmac } from 'node:crypto';

/** In letters that survive servers which take the part of an address before `@` for one of small letters. */
export function sign(secret: string, ...parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex').slice(0, 20);
}
