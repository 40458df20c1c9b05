import { LRUCache } from 'lru-cache';
import { ItemError } from '../source-reader.ts';
import type { SiteAnswer, SiteClient } from './site-client.ts';

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

interface CanonicalOptions {
  readonly client: SiteClient;
  /** Judges an address without a request; null if it needs one. */
  readonly judge: (address: string) => 'unusable' | null;
  readonly readStanding: (answer: SiteAnswer) => Promise<Standing>;
}

/**
 * Finds the page that canonical addresses lead to. Sites name canonical pages that are missing, redirect back or name
 * the first one again; such a canonical address is ignored, so that one of the pages always stays.
 */
export class CanonicalAddresses {
  readonly #options: CanonicalOptions;
  readonly #standings = new LRUCache<string, Standing>({ max: MAX_REMEMBERED });

  constructor(options: CanonicalOptions) {
    this.#options = options;
  }

  /** Remembers a page that was read for another reason. */
  remember(address: string, standing: Standing): void {
    this.#standings.set(address, standing);
  }

  /** Returns the page that replaces `address`, or null if it stays. `named` is its canonical address. */
  async resolve(address: string, named: string): Promise<string | null> {
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
      const standing = await this.#options.readStanding(followed);
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
