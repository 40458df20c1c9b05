import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A cookie that tells that somebody signed in to an account in this browser before. It opens nothing. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
}

/** How long a browser is known after its last sign-in. */
export const KNOWN_BROWSER_SECONDS = 400 * 86_400;

/** The cookie for an account. A browser has one for each account that signed in there, so that two people can share it. */
export function issueKnownBrowser(key: string, email: string): BrowserCookie {
  const id = randomBytes(16).toString('base64url');
  return { name: cookieName(email), value: `${id}.${sign(key, { email, id })}` };
}

/** Returns the id of a browser that is known to an account. Null for strangers, and for cookies of other accounts. */
export function findKnownBrowser(
  key: string,
  email: string,
  cookies: ReadonlyMap<string, string>,
): string | null {
  const [id = '', signature = '', ...rest] = (cookies.get(cookieName(email)) ?? '').split('.');
  if (id === '' || rest.length > 0) return null;
  const expected = Buffer.from(sign(key, { email, id }));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
}

/** The name tells nobody the address. */
function cookieName(email: string): string {
  return `parley-known-${createHash('sha256').update(email).digest('hex').slice(0, 16)}`;
}

function sign(key: string, { email, id }: { readonly email: string; readonly id: string }): string {
  return createHmac('sha256', key).update(`known browser\n${id}\n${email}`).digest('base64url');
}
