import type { ItemOrigin, KnownItem, ListedItem } from '../../source-reader.ts';
import { VariantCounter } from '../address.ts';
import type { Page } from '../page.ts';
import type { Directives } from '../requests/robots.ts';
import type { WebsiteSettings } from '../website-settings.ts';

const MAX_LINKS = 2_000;
/** Feeds may lead to feeds, from a listed page. */
const MAX_FEED_DEPTH = 3;

interface LinkOptions {
  readonly settings: Pick<WebsiteSettings, 'follow' | 'max_depth'>;
  readonly isReadable: (address: string) => boolean;
  readonly isStart: (item: KnownItem) => boolean;
}

/** Chooses the links of a page that become items. */
export class FoundLinks {
  readonly #options: LinkOptions;
  readonly #variants = new VariantCounter();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Links from the start lead on; those of a page that a list names lead one step beyond the list. */
  inPage(
    item: KnownItem,
    { feeds, links }: Pick<Page, 'feeds' | 'links'>,
    { noFollow }: Directives,
  ): readonly ListedItem[] {
    const { origin, key, depth = 0 } = item;
    const { follow, max_depth: most } = this.#options.settings;
    if (origin === undefined) {
      const isEnd = noFollow || depth >= most;
      return isEnd ? [] : this.#toItems(item, [...feeds, ...links]);
    }
    if (noFollow || origin !== 'list' || follow !== 'auto') return [];
    const ofSite = this.#options.isStart(item) ? feeds : feeds.filter((feed) => !isFeedOfPage(feed, key));
    const known = new Set(ofSite);
    const beyond = links.filter((link) => !known.has(link));
    return [...this.#toItems(item, ofSite, 'feed'), ...this.#toItems(item, beyond, 'beyond')];
  }

  /** The entries of a feed or a sitemap are listed. */
  inList(item: KnownItem, links: readonly string[], directives: Directives): readonly ListedItem[] {
    if (item.origin === undefined) return this.inPage(item, { feeds: [], links }, directives);
    const isEnd = directives.noFollow || (item.depth ?? 0) > MAX_FEED_DEPTH;
    return isEnd ? [] : this.#toItems(item, links, 'list');
  }

  #toItems(
    { key, depth = 0 }: KnownItem,
    links: readonly string[],
    origin?: ItemOrigin,
  ): readonly ListedItem[] {
    return [...new Set(links)]
      .filter((link) => link !== key && this.#options.isReadable(link) && this.#variants.accept(link))
      .slice(0, MAX_LINKS)
      .map((link) => ({
        ...{ key: link, url: link, depth: depth + 1 },
        ...(origin !== undefined && { origin }),
      }));
  }
}

/** Blogs have a feed of the comments for each article. */
function isFeedOfPage(feed: string, page: string): boolean {
  const { pathname } = new URL(feed);
  const own = new URL(page).pathname.replace(/\/$/, '');
  const rest = pathname.startsWith(`${own}/`) ? pathname.slice(own.length) : '';
  return /^\/(?:feed|rss|atom)\/?$/i.test(rest) || /\/comments\/feed\/?$/i.test(pathname);
}
