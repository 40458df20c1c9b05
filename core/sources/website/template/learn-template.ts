import { type Copies, ItemError, type PageBlocks, type PageMemory } from '../../source-reader.ts';
import type { Page } from '../page.ts';
import type { TemplateCut } from './cut-template.ts';
import { type Generation, MIN_PAGES, SiteTemplate } from './site-template.ts';

/** So many of the next pages are looked at before the first one becomes a document. */
export const PAGES_AHEAD = 24;

/** With fewer words the same text says nothing about two pages being the same, unless their titles are too. */
const MIN_COPY_WORDS = 30;
/** So many more pages with the same few words have none of their own. */
const EMPTY_COPIES = 2;

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
  #template: SiteTemplate | null = null;
  #hasLookedAhead = false;

  constructor(options: LearningOptions) {
    this.#options = options;
  }

  /** Returns how much is known for a page, without a request. */
  async generationFor(key: string): Promise<Generation> {
    return (await this.#load()).generationFor(key);
  }

  async cutFor(key: string, keepsProse: boolean): Promise<TemplateCut> {
    const template = await this.#load();
    if (!template.isKnown && !this.#hasLookedAhead) await this.#lookAhead(template);
    return { template: template.blocksAround(key), keepsProse };
  }

  /** Notes the text of a page. Returns the document that has the same. Throws an ItemError if it has none of its own. */
  async judge(
    { title, textHash, words, blocks, ...page }: JudgedPage,
    { key, isStart }: { readonly key: string; readonly isStart: boolean },
  ): Promise<Copies['document']> {
    const { memory } = this.#options;
    const sampled = await this.#sample({ key, blocks });
    const { pages, document } = await memory.findCopies({ key, textHash });
    const isShort = words < MIN_COPY_WORDS;
    const isCopy = document !== null && !isStart && (!isShort || (document.title ?? null) === title);
    const isEmpty = page.isEmpty || (isShort && !page.hasHeading && pages >= EMPTY_COPIES);
    await memory.store({ key, textHash, blocks: sampled, copyOf: isCopy && !isEmpty ? document.key : null });
    if (isEmpty) throw emptyText(key);
    return isCopy ? document : null;
  }

  /** Returns the blocks to store with a page, or null if it is not in the sample. */
  async #sample({ key, blocks }: PageBlocks): Promise<readonly string[] | null> {
    const { isSampled, left } = (await this.#load()).add({ key, blocks });
    if (left !== null) await this.#options.memory.removeFromSample(left);
    return isSampled ? blocks : null;
  }

  async #load(): Promise<SiteTemplate> {
    this.#template ??= new SiteTemplate(await this.#options.memory.loadSample());
    return this.#template;
  }

  async #lookAhead(template: SiteTemplate): Promise<void> {
    const keys = await this.#options.memory.listAhead(PAGES_AHEAD);
    if (keys.length + template.size < MIN_PAGES) return;
    this.#hasLookedAhead = true;
    for (const key of keys) {
      const blocks = await this.#options.readBlocks(key);
      if (blocks !== null) template.add({ key, blocks });
    }
  }
}

function emptyText(address: string): ItemError {
  return new ItemError(
    'empty',
    `${address} has no text of its own: only what stands on other pages of the website too. Exclude it, or offer its text without a script.`,
  );
}
