import { createHash } from 'node:crypto';
import type { PageBlocks } from '../../source-reader.ts';

/** Pages of the sample. Its error at a share of a half is 4 points. */
const MAX_PAGES = 128;
/** Fewer pages prove nothing. */
export const MIN_PAGES = 12;
/** A block on more of the pages belongs to the site. Some pages have another design, so that it is not on all of them. */
const SITE_SHARE = 0.6;
/**
 * A block on this many pages of one folder belongs to that part of the site, unless it is prose: most things are in
 * stock.
 */
const FOLDER_SHARE = 0.85;

/**
 * The blocks that recur on a site, counted on a sample of its pages: those with the lowest hashes of their keys. Such a
 * sample has a bound, is random, and counts a page that is read again once, with its newest blocks.
 */
export class SiteTemplate {
  readonly #pages = new Map<string, PageBlocks>();
  readonly #ranks = new Map<string, string>();
  #cache = new Map<string, Common>();

  constructor(sample: readonly PageBlocks[] = []) {
    for (const page of sample) this.add(page);
  }

  get size(): number {
    return this.#pages.size;
  }

  get isKnown(): boolean {
    return this.#pages.size >= MIN_PAGES;
  }

  /** Returns whether the page is in the sample, and the key of the page that left it. */
  add(page: PageBlocks): { readonly isSampled: boolean; readonly left: string | null } {
    this.#cache = new Map();
    this.#pages.set(page.key, page);
    if (this.#pages.size <= MAX_PAGES) return { isSampled: true, left: null };
    const firsts = this.#firstOfFolders();
    const [first = page.key, ...others] = [...this.#pages.keys()].filter((key) => !firsts.has(key));
    const last = others.reduce((one, other) => (this.#rank(other) > this.#rank(one) ? other : one), first);
    this.#pages.delete(last);
    this.#ranks.delete(last);
    return last === page.key ? { isSampled: false, left: null } : { isSampled: true, left: last };
  }

  /** Replaces the blocks of a page of the sample. Returns false if nothing changes. */
  update(page: PageBlocks): boolean {
    const known = this.#pages.get(page.key)?.blocks;
    if (known === undefined) return false;
    if (known.length === page.blocks.length && known.every((hash, at) => hash === page.blocks[at]))
      return false;
    this.add(page);
    return true;
  }

  /** Returns the number of pages of the sample with a block. */
  countPages(hash: string): number {
    return [...this.#pages.values()].filter(({ blocks }) => blocks.includes(hash)).length;
  }

  /** Forgets all pages. Returns their keys. */
  clear(): readonly string[] {
    const keys = [...this.#pages.keys()];
    this.#pages.clear();
    this.#ranks.clear();
    this.#cache = new Map();
    return keys;
  }

  /**
   * Returns the hashes of the blocks that belong to the site around a page, and those of them that the page keeps: what all
   * commands of a manual say about their exit codes must stay in one document. The first address in order keeps it.
   */
  blocksAround(key: string): { readonly template: readonly string[]; readonly kept: readonly string[] } {
    const folder = folderOf(key);
    const common = this.#cache.get(folder) ?? this.#findCommon(folder);
    this.#cache.set(folder, common);
    const kept = [...common].filter(([, keeper]) => key <= keeper).map(([hash]) => hash);
    return { template: [...common.keys()], kept };
  }

  #findCommon(folder: string): Common {
    const pages = [...this.#pages.values()];
    const section = commonBlocks(
      pages.filter((page) => folderOf(page.key) === folder),
      FOLDER_SHARE,
    );
    const inFolder = [...section].filter(([hash]) => !isProse(hash));
    return new Map([...inFolder, ...commonBlocks(pages, SITE_SHARE)]);
  }

  /** Pages that keep blocks of the site stay in the sample, at most 32. */
  #firstOfFolders(): ReadonlySet<string> {
    const firsts = new Map<string, string>();
    for (const key of this.#pages.keys()) {
      const folder = folderOf(key);
      const first = firsts.get(folder) ?? key;
      firsts.set(folder, key < first ? key : first);
    }
    return new Set([...firsts.values()].toSorted().slice(0, MAX_PAGES / 4));
  }

  #rank(key: string): string {
    const rank = this.#ranks.get(key) ?? createHash('sha256').update(key).digest('hex');
    this.#ranks.set(key, rank);
    return rank;
  }
}

/** Common blocks with the first of the addresses that have them. */
type Common = ReadonlyMap<string, string>;

function commonBlocks(pages: readonly PageBlocks[], share: number): Common {
  if (pages.length < MIN_PAGES) return new Map();
  const counts = new Map<string, { count: number; first: string }>();
  for (const { key, blocks } of pages) {
    for (const hash of new Set(blocks)) {
      const { count, first } = counts.get(hash) ?? { count: 0, first: key };
      counts.set(hash, { count: count + 1, first: key < first ? key : first });
    }
  }
  const common = [...counts].filter(([, { count }]) => count > pages.length * share);
  return new Map(common.map(([hash, { first }]) => [hash, first]));
}

/** The kind of a block is the first letter of its hash. */
export function isProse(hash: string): boolean {
  return hash.startsWith('p');
}

/** Returns the host and the first folder of an address. */
function folderOf(key: string): string {
  const url = URL.parse(key);
  if (url === null) return '';
  const [, first = '', ...rest] = url.pathname.split('/');
  return rest.length === 0 ? url.host : `${url.host}/${first}`;
}
