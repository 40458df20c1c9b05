import { type Copies, ItemError, type PageBlocks, type PageMemory } from '../../source-reader.ts';
import type { Page } from '../page.ts';
import type { TemplateCut } from './cut-template.ts';
import { type Generation, MIN_PAGES, SiteTemplate } from './site-template.ts';

/** So many of the next pages are looked at before the first one becomes a document. */
export const PAGES_AHEAD = 24;

const AHEAD_AT_ONCE = 3;

/** With fewer words the same text says nothing about two pages being the same, unless their titles are too. */
const MIN_COPY_WORDS = 30;
/** So many more pages with the same few words have none of their own. */
const EMPTY_COPIES = 2;

/** A template with fewer blocks says nothing about a redesign. */
const MIN_TEMPLATE = 3;
/** A page with a smaller share of the template is of another design. */
const REDESIGN_SHARE = 0.25;
const OTHERS_IN_ROW = 3;
const NOTHING_KNOWN: Generation = [0, 0];

interface KnownCut extends TemplateCut {
  readonly generation: Generation;
}

interface Judgement {
  /** The document that has the same text. */
  readonly copy: Copies['document'];
  /** To be stored with the page. */
  readonly generation: Generation;
}

type JudgedPage = Pick<Page, 'title' | 'blocks' | 'textHash' | 'words' | 'hasHeading' | 'isEmpty'>;

interface LearningOptions {
  readonly memory: PageMemory;
  /** Requests a page and keeps its answer, so that reading it needs no second request. Null if it is no page. */
  readonly readBlocks: (key: string) => Promise<readonly string[] | null>;
}

/**
 * Learns the template of a site from its pages. On a new site it looks at the next pages first, so that already the first
 * document is cut. Pages that were cut when less was known are read again by the next run.
 */
export class TemplateLearner {
  readonly #options: LearningOptions;
  #template: Promise<SiteTemplate> | null = null;
  #hasLookedAhead = false;
  #othersInRow = 0;

  constructor(options: LearningOptions) {
    this.#options = options;
  }

  /** Returns how much is known for a page, without a request. */
  async generationFor(key: string): Promise<Generation> {
    return (await this.#load()).generationFor(key);
  }

  /** Returns what to cut of a page, and how much is known by then. */
  async cutFor(key: string, keepsProse: boolean): Promise<KnownCut> {
    const template = await this.#load();
    if (!template.isKnown && !this.#hasLookedAhead) await this.#lookAhead(template, key);
    return { ...template.blocksAround(key), keepsProse, generation: template.generationFor(key) };
  }

  /** Notes the text of a page and judges it. Throws an ItemError if it has none of its own. */
  async judge(
    { title, textHash, words, blocks, ...page }: JudgedPage,
    { key, isStart, cut }: { readonly key: string; readonly isStart: boolean; readonly cut: KnownCut },
  ): Promise<Judgement> {
    const { memory } = this.#options;
    const isRedesigned = await this.#meetRedesign(cut, blocks);
    const sampled = await this.#sample({ key, blocks });
    const { pages, document } = await memory.findCopies({ key, textHash });
    const isShort = words < MIN_COPY_WORDS;
    const isCopy = document !== null && !isStart && (!isShort || (document.title ?? null) === title);
    const isEmpty = page.isEmpty || (isShort && !page.hasHeading && pages >= EMPTY_COPIES);
    await memory.store({ key, textHash, blocks: sampled, copyOf: isCopy && !isEmpty ? document.key : null });
    if (isEmpty) throw emptyText(key);
    return { copy: isCopy ? document : null, generation: isRedesigned ? NOTHING_KNOWN : cut.generation };
  }

  /**
   * Returns whether a page has next to nothing of the template, so that it is cut anew by the next run. Several in a row
   * prove that the site was redesigned: then its template is learnt anew.
   */
  async #meetRedesign({ template }: TemplateCut, blocks: readonly string[]): Promise<boolean> {
    const shared = template.filter((hash) => blocks.includes(hash)).length;
    const isOther = template.length >= MIN_TEMPLATE && shared < template.length * REDESIGN_SHARE;
    this.#othersInRow = isOther ? this.#othersInRow + 1 : 0;
    if (this.#othersInRow < OTHERS_IN_ROW) return isOther;
    this.#othersInRow = 0;
    const left = (await this.#load()).clear();
    this.#hasLookedAhead = false;
    await this.#options.memory.removeFromSample(left);
    return true;
  }

  /** Returns the blocks to store with a page, or null if it is not in the sample. */
  async #sample({ key, blocks }: PageBlocks): Promise<readonly string[] | null> {
    const { isSampled, left } = (await this.#load()).add({ key, blocks });
    if (left !== null) await this.#options.memory.removeFromSample([left]);
    return isSampled ? blocks : null;
  }

  #load(): Promise<SiteTemplate> {
    this.#template ??= this.#options.memory.loadSample().then((sample) => new SiteTemplate(sample));
    return this.#template;
  }

  /** The page itself is at hand already. */
  async #lookAhead(template: SiteTemplate, key: string): Promise<void> {
    const next = await this.#options.memory.listAhead(PAGES_AHEAD);
    const keys = next.filter((other) => other !== key);
    if (keys.length + template.size < MIN_PAGES) return;
    this.#hasLookedAhead = true;
    for (let at = 0; at < keys.length; at += AHEAD_AT_ONCE) {
      const some = keys.slice(at, at + AHEAD_AT_ONCE);
      const read = await Promise.all(
        some.map(async (other) => ({ key: other, blocks: await this.#options.readBlocks(other) })),
      );
      for (const { key: other, blocks } of read) if (blocks !== null) template.add({ key: other, blocks });
    }
  }
}

function emptyText(address: string): ItemError {
  return new ItemError(
    'empty',
    `${address} has no text of its own: only what stands on other pages of the website too. Exclude it, or offer its text without a script.`,
  );
}
