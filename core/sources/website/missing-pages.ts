import { createHash } from 'node:crypto';
import { decodeOrKeep } from '../../base/text.ts';
import { joinAlternatives } from '../../language/find-language.ts';
import { ItemError } from '../source-reader.ts';
import type { Page } from './page.ts';
import type { SiteAnswer, SiteClient } from './requests/site-client.ts';

const MISSING_TITLE = new RegExp(`\\b404\\b|${joinAlternatives(({ grammar }) => grammar?.missingPage)}`, 'i');
/** A page with this many words of its own is no copy of the answer to a missing page. */
const MAX_OWN_WORDS = 2;
const MAX_WORDS = 5_000;

/** The answer of a site to an address that it does not have. */
interface MissingPage {
  readonly address: string;
  readonly title: string | null;
  readonly words: ReadonlySet<string>;
}

interface MissingOptions {
  readonly client: SiteClient;
  /** Null if it is no page. */
  readonly read: (answer: SiteAnswer) => Promise<Page | null>;
}

/**
 * Recognises pages that say they are missing with status 200. It asks each host once for an address that cannot exist,
 * and compares: a page that redirects to the same page, or has no words of its own, is missing too.
 */
export class MissingPages {
  readonly #options: MissingOptions;
  readonly #answers = new Map<string, Promise<MissingPage | null>>();

  constructor(options: MissingOptions) {
    this.#options = options;
  }

  async includes(address: string, page: Page): Promise<boolean> {
    const missing = await this.#answerOf(address);
    if (missing === null) return false;
    if (missing.title !== null && missing.title === page.title && MISSING_TITLE.test(missing.title))
      return true;
    const words = wordsOf(page.text, address);
    const most = Math.max(MAX_OWN_WORDS, missing.words.size / 10);
    return countOthers(words, missing.words) <= MAX_OWN_WORDS && countOthers(missing.words, words) <= most;
  }

  /** True if a redirect to `target` is how the host answers for missing pages. */
  async isTarget(target: string): Promise<boolean> {
    return (await this.#answerOf(target))?.address === target;
  }

  #answerOf(address: string): Promise<MissingPage | null> {
    const { origin } = new URL(address);
    const known = this.#answers.get(origin) ?? this.#ask(origin);
    this.#answers.set(origin, known);
    return known;
  }

  async #ask(origin: string): Promise<MissingPage | null> {
    const name = createHash('sha256').update(origin).digest('hex').slice(0, 12);
    const address = `${origin}/parley-missing-${name}`;
    try {
      if (!(await this.#options.client.isAllowed(address))) return null;
      const followed = await this.#options.client.follow(address);
      if (followed.kind !== 'answer' || followed.response.status !== 200) return null;
      const page = await this.#options.read(followed);
      if (page === null) return null;
      return { address: followed.address, title: page.title, words: wordsOf(page.text, address) };
    } catch (error) {
      if (error instanceof ItemError) return null;
      throw error;
    }
  }
}

/** Returns the number of words that are not among the known ones. */
export function countOthers(words: Iterable<string>, known: ReadonlySet<string>): number {
  return [...words].filter((word) => !known.has(word)).length;
}

/** The words of a page, without those of its address, which answers to missing pages repeat. */
function wordsOf(text: string, address: string): ReadonlySet<string> {
  const own = new Set(splitWords(decodeOrKeep(new URL(address).pathname)));
  return new Set(splitWords(text).filter((word) => !own.has(word)));
}

export function splitWords(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS);
}
