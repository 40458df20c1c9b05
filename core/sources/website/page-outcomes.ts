import { ItemError, type KnownItem, type ListedItem, type ReadResult } from '../source-reader.ts';
import type { SiteAnswer } from './requests/site-client.ts';

export function mediaType({ response }: SiteAnswer): string {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isHtml(answer: SiteAnswer): boolean {
  const type = mediaType(answer);
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  const start = Buffer.from(answer.response.bytes.subarray(0, 200)).toString('latin1').trimStart();
  return type === '' && /^<(?:!doctype html|html)\b/i.test(start);
}

export function moved({ depth, origin }: KnownItem, target: string): ReadResult {
  const place = { ...(depth !== undefined && { depth }), ...(origin !== undefined && { origin }) };
  return { kind: 'moved', to: { key: target, url: target, ...place } };
}

export function skipped(code: string, reason: string, found: readonly ListedItem[] = []): ReadResult {
  return { kind: 'skipped', code, reason, found };
}

export function noIndex(found: readonly ListedItem[]): ReadResult {
  return skipped(
    'noindex',
    'The page asks not to be read by robots (noindex). Remove that to read it.',
    found,
  );
}

export function otherHost(target: string, address?: string): ReadResult {
  return skipped(
    'other_host',
    address === undefined
      ? `${target} belongs to another website. Add that one as a source of its own.`
      : `The page redirects to another website: ${target}. Add that one as a source of its own.`,
  );
}

export function disallowed(address: string): ReadResult {
  return skipped(
    'robots_disallowed',
    `The robots.txt of the website does not allow Parley to read ${address}.`,
  );
}

export function statusError(address: string, status: number): ItemError {
  const advice =
    status === 401 || status === 403
      ? 'It needs a sign-in, or the website refuses Parley: allow the user agent "Parley", or add the page by hand.'
      : 'The next run tries again.';
  return new ItemError(`http_${status}`, `${address} answers with status ${status}. ${advice}`);
}

export function emptyPage(address: string): ItemError {
  return new ItemError(
    'empty_page',
    `${address} is nearly empty: a script draws it in the browser. Use the address of a rendered version or its sitemap, offer the page as Markdown, or upload its text as a document.`,
  );
}

export function outOfScope(scope: string, found: readonly ListedItem[] = []): ReadResult {
  return skipped('out_of_scope', describeScope(scope), found);
}

export function describeScope(scope: string): string {
  return `It is not below ${scope}, which is all that the source reads.`;
}

export const unlisted: ReadResult = skipped(
  'unlisted',
  'Pages link to it, but neither the sitemap nor a feed names it. Choose in the settings to read such pages.',
);

const NO_TEXT = /^(?:image|audio|video|font)\/|javascript|^text\/css$|json$|xml$/;

/** Returns the outcome of an answer whose type holds no text; null for other types. */
export function withoutText(type: string): ReadResult | null {
  if (!NO_TEXT.test(type)) return null;
  return skipped('unsupported_format', `The address answers with ${type}, which holds no text to read.`);
}
