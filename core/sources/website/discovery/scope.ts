import { decodeOrKeep } from '../../../base/text.ts';
import { createFilter } from '../../patterns.ts';
import type { WebsiteSettings } from '../website-settings.ts';

/** The pattern that leaves out nothing. */
export const WHOLE_SITE = '/**';

/** Files that describe a site, or stand for their folder. */
const FILE = /\.(?:html?|xhtml|php|aspx?|jsp|mdx?|xml|gz|txt|rss|atom|rdf)$/i;
const LIST = /^(?:feed|rss|atom|sitemap)$/i;

/**
 * Returns the pattern of the paths that are read: the one of the settings, or the path of the start and all below it. A
 * start that is a file, a feed or a sitemap stands for its folder.
 */
export function scopePattern({ url, scope }: Pick<WebsiteSettings, 'url' | 'scope'>): string {
  if (scope !== undefined) return scope;
  const parts = decodeOrKeep(new URL(url).pathname)
    .split('/')
    .filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const folder = FILE.test(last) || LIST.test(last) ? parts.slice(0, -1) : parts;
  return ['', ...folder, '**'].join('/');
}

/** Returns a function that tells whether an address lies in the scope of a source. */
export function createScope(settings: Pick<WebsiteSettings, 'url' | 'scope'>): (address: string) => boolean {
  const pattern = scopePattern(settings);
  return pattern === WHOLE_SITE ? () => true : createFilter({ include: [pattern], exclude: [] });
}
