import type { FastifyRequest } from 'fastify';
import { type BrowserCookie, KNOWN_BROWSER_SECONDS } from '../../core/members/guesses/known-browser.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';

/** The cookies of a request, by name. */
export function readCookies({ headers }: Pick<FastifyRequest, 'headers'>): ReadonlyMap<string, string> {
  return new Map(
    (headers.cookie ?? '').split(';').flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=');
      return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
    }),
  );
}

/** Returns the `Set-Cookie` header of a browser that is known to an account. */
export function knownBrowserHeader(
  { PUBLIC_URL }: Pick<Runtime['config'], 'PUBLIC_URL'>,
  { name, value }: BrowserCookie,
): string {
  const secure = PUBLIC_URL?.startsWith('https:') === true ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${KNOWN_BROWSER_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
