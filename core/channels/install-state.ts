import { createHash, timingSafeEqual } from 'node:crypto';

/** What the platform is given to bring back: a link, and which browser it was opened in without telling that. */
export function writeInstallState(link: string, browser: string): string {
  return `${link}.${markOf(link, browser)}`;
}

/** The link of a state, and whether this browser began it. */
export function readInstallState(
  state: string,
  browser: string | null,
): { readonly link: string; readonly isSameBrowser: boolean } {
  const [link = '', mark = ''] = state.split('.');
  const expected = Buffer.from(markOf(link, browser ?? ''));
  const given = Buffer.from(mark);
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  return { link, isSameBrowser: browser !== null && isSame };
}

function markOf(link: string, browser: string): string {
  return createHash('sha256').update(`${link}.${browser}`).digest('base64url');
}
