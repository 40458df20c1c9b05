import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decodeText } from '../../knowledge/loaders/decode-text.ts';
import { withoutTags } from '../holds/measure-text.ts';
import { ItemError } from '../source-reader.ts';
import { countOthers, splitWords } from './missing-pages.ts';
import type { Page } from './page.ts';
import { mediaType } from './page-outcomes.ts';
import type { SiteAnswer, SiteClient } from './requests/site-client.ts';

/** The place of a page among the addresses of the same content. */
export type Standing =
  /** It is the page. */
  | 'own'
  /** It redirects, or names another page as the canonical one. */
  | { readonly to: string; readonly isRedirect: boolean }
  /** It cannot stand for another page, because it is missing, excluded or fails. */
  | 'unusable';

const MAX_HOPS = 5;
const MAX_REMEMBERED = 5_000;
const MAX_CONTENTS = 300;
/** A page with a larger share of words of its own is no copy of its canonical page. */
const OWN_SHARE = 0.1;

/** The different words of a page, or the hash of a file. */
export type Contents = ReadonlySet<string>;

/** Returns the words of a page or a text. Other files are compared as they are. */
export function contentsOf(answer: SiteAnswer, page: Page | null): Contents {
  const { bytes } = answer.response;
  if (page !== null) return new Set(splitWords(withoutTags(page.content)));
  if (/^text\//.test(mediaType(answer))) return new Set(splitWords(decodeText(bytes, null)));
  return new Set([createHash('sha256').update(bytes).digest('base64url')]);
}

/** Whether nothing of importance is lost if the target stands for a page. */
export function isContained(page: Contents, target: Contents): boolean {
  return page.size > 0 && countOthers(page, target) <= page.size * OWN_SHARE;
}

interface CanonicalOptions {
  readonly client: SiteClient;
  /** Judges an address without a request; null if it needs one. */
  readonly judge: (address: string) => 'unusable' | null;
  readonly readStanding: (
    answer: SiteAnswer,
  ) => Promise<{ readonly standing: Standing; readonly contents: Contents | null }>;
}

/**
 * Finds the page that canonical addresses lead to. Sites name canonical pages that are missing, redirect back or name
 * the first one again, or name one page, often the start, for all; such a canonical address is ignored, so that no content is
 * lost and one of the pages always stays.
 */
export class CanonicalAddresses {
  readonly #options: CanonicalOptions;
  readonly #standings = new LRUCache<string, Standing>({ max: MAX_REMEMBERED });
  readonly #contents = new LRUCache<string, Contents>({ max: MAX_CONTENTS });

  constructor(options: CanonicalOptions) {
    this.#options = options;
  }

  /** Remembers a page that was read anyway. */
  remember(address: string, standing: Standing, contents: Contents | null): void {
    this.#standings.set(address, standing);
    if (contents !== null) this.#contents.set(address, contents);
  }

  /**
   * Returns the page that replaces `address`, or null if it stays: also if that page does not say what this one says. `named`
   * is its canonical address.
   */
  async resolve(address: string, named: string, contents: Contents): Promise<string | null> {
    const target = await this.#find(address, named);
    if (target === null) return null;
    const other = this.#contents.get(target) ?? (await this.#requestContents(target));
    return other !== null && isContained(contents, other) ? target : null;
  }

  async #requestContents(address: string): Promise<Contents | null> {
    this.#standings.delete(address);
    await this.#standingOf(address);
    return this.#contents.get(address) ?? null;
  }

  async #find(address: string, named: string): Promise<string | null> {
    const pages = [address];
    let current = named;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      // The pages of a circle have to agree which of them stays, whichever is read first.
      if (pages.includes(current)) return otherThan(address, pages.slice(pages.indexOf(current)));
      const standing = await this.#standingOf(current);
      if (standing === 'own') return current;
      if (standing === 'unusable') return null;
      if (!standing.isRedirect) pages.push(current);
      current = standing.to;
    }
    return null;
  }

  async #standingOf(address: string): Promise<Standing> {
    const known = this.#standings.get(address) ?? this.#options.judge(address);
    if (known !== null) return known;
    const standing = await this.#request(address);
    this.#standings.set(address, standing);
    return standing;
  }

  async #request(address: string): Promise<Standing> {
    try {
      if (!(await this.#options.client.isAllowed(address))) return 'unusable';
      const followed = await this.#options.client.follow(address);
      if (followed.kind !== 'answer' || followed.response.status !== 200) return 'unusable';
      if (followed.address !== address) return { to: followed.address, isRedirect: true };
      const { standing, contents } = await this.#options.readStanding(followed);
      if (contents !== null) this.#contents.set(address, contents);
      if (standing === 'own') this.#options.client.keep(followed);
      return standing;
    } catch (error) {
      if (error instanceof ItemError) return 'unusable';
      throw error;
    }
  }
}

/** Returns the page of a circle that stays, or null if it is `address` or `address` only leads into the circle. */
function otherThan(address: string, circle: readonly string[]): string | null {
  const [first = address] = circle.toSorted();
  return first === address ? null : first;
}
