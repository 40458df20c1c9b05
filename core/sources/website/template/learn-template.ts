import { createHash } from 'node:crypto';
import {
  type BlockRule,
  type Copies,
  ItemError,
  type PageBlocks,
  type PageCount,
  type PageMemory,
  type PageText,
} from '../../source-reader.ts';
import type { CutContent, Cutting, Page } from '../page.ts';
import type { BlockRules } from '../tree/apply-rules.ts';
import { CUTTER } from '../tree/page-tree.ts';
import type { TemplateCut } from './cut-template.ts';
import { MIN_PAGES, SiteTemplate } from './site-template.ts';

/** The number of next pages that are looked at before the first one becomes a document. */
export const PAGES_AHEAD = 24;

const AHEAD_AT_ONCE = 3;

/** With fewer words the same text says nothing about two pages being the same, unless their titles are too. */
const MIN_COPY_WORDS = 30;
/** The number of further pages with the same few words that proves that none has words of its own. */
const EMPTY_COPIES = 2;

/** A template with fewer blocks does not prove a redesign. */
const MIN_TEMPLATE = 3;
/** A page with a smaller share of the template is of another design. */
const REDESIGN_SHARE = 0.25;
const OTHERS_IN_ROW = 3;

export interface KnownCut extends Cutting {
  /** Names everything that decides how the page is cut. */
  readonly version: string;
}

interface Judgement {
  /** The document with the same text. */
  readonly copy: Copies['document'];
  /** Whether the page can be cut anew without a request. */
  readonly isStored: boolean;
}

interface JudgedItem {
  readonly key: string;
  readonly title: string | null;
  readonly isStart: boolean;
}

interface LearningOptions {
  readonly memory: PageMemory;
  /** Requests a page and keeps its answer, so that reading it needs no second request. Null if it is no page. */
  readonly readBlocks: (key: string) => Promise<readonly string[] | null>;
}

/**
 * Learns the template of a site from its pages. On a new site it looks at the next pages first, so that already the first
 * document is cut. Pages that were cut when less was known are cut anew at the end of the run.
 */
export class TemplateLearner {
  readonly #options: LearningOptions;
  #template: Promise<SiteTemplate> | null = null;
  #rules: readonly BlockRule[] | null = null;
  #hasLookedAhead = false;
  #othersInRow = 0;

  constructor(options: LearningOptions) {
    this.#options = options;
  }

  /** Names what decides how a page is cut: the cutter, the blocks of the site around it, and its rules. */
  async versionFor(key: string): Promise<string> {
    const { template, kept } = (await this.#load()).blocksAround(key);
    const rules = await this.rulesFor(key);
    const known = [template, kept, rules.keep, rules.cut].map((hashes) => hashes.toSorted());
    return `${CUTTER}.${createHash('sha256').update(JSON.stringify(known)).digest('base64url').slice(0, 16)}`;
  }

  /** Returns what to cut of a page that was requested. */
  async cutFor(key: string, keepsProse: boolean): Promise<KnownCut> {
    const template = await this.#load();
    if (!template.isKnown && !this.#hasLookedAhead) await this.#lookAhead(template, key);
    return this.cutForStored(key, keepsProse);
  }

  /** Returns what to cut of a page by what is known, without a request. */
  async cutForStored(key: string, keepsProse: boolean): Promise<KnownCut> {
    const cut = { ...(await this.#load()).blocksAround(key), keepsProse };
    return { cut, rules: await this.rulesFor(key), version: await this.versionFor(key) };
  }

  /** Returns the rules of the source for a page. One for this page goes before one for all pages. */
  async rulesFor(key: string): Promise<BlockRules> {
    this.#rules ??= await this.#options.memory.loadRules();
    const own = this.#rules.filter((rule) => rule.key === key);
    const others = this.#rules.filter(
      (rule) => rule.key === null && !own.some(({ block }) => block === rule.block),
    );
    const blocks = (action: BlockRule['action']) =>
      [...own, ...others].filter((rule) => rule.action === action).map(({ block }) => block);
    return { keep: blocks('keep'), cut: blocks('cut') };
  }

  /** Counts the pages of the sample that have a block. */
  async countPages(hashes: readonly string[]): Promise<ReadonlyMap<string, PageCount>> {
    const template = await this.#load();
    return new Map(
      hashes.map((hash) => [hash, { having: template.countPages(hash), looked: template.size }] as const),
    );
  }

  /** Stores the text of a page and judges it. Throws an ItemError if it has none of its own. */
  async judge(
    page: CutContent & Pick<Page, 'tree'>,
    { cut: known, ...item }: JudgedItem & { readonly cut: KnownCut },
  ): Promise<Judgement> {
    await this.#meetRedesign(known.cut, page.blocks);
    const blocks = await this.#sample({ key: item.key, blocks: page.blocks });
    const fetched = { tree: page.tree, cutVersion: known.version };
    return this.#judge(page, item, { blocks, fetched });
  }

  /** Judges a stored page that was cut anew, as `judge` does. */
  async judgeStored(page: CutContent, item: JudgedItem): Promise<Pick<Judgement, 'copy'>> {
    const { key } = item;
    const isOther = (await this.#load()).update({ key, blocks: page.blocks });
    return this.#judge(page, item, isOther ? { blocks: page.blocks } : {});
  }

  async #judge(
    { textHash, words, ...page }: CutContent,
    { key, title, isStart }: JudgedItem,
    stored: Pick<PageText, 'blocks' | 'fetched'>,
  ): Promise<Judgement> {
    const { memory } = this.#options;
    const { pages, document } = await memory.findCopies({ key, textHash });
    const isShort = words < MIN_COPY_WORDS;
    const isCopy = document !== null && !isStart && (!isShort || (document.title ?? null) === title);
    const isEmpty = page.isEmpty || (isShort && !page.hasHeading && pages >= EMPTY_COPIES);
    const copyOf = isCopy && !isEmpty ? document.key : null;
    const isStored = await memory.store({ key, textHash, copyOf, ...stored });
    if (isEmpty) throw emptyText(key);
    return { copy: isCopy ? document : null, isStored };
  }

  /** Several pages in a row with next to nothing of the template prove that the site was redesigned: it is learnt anew. */
  async #meetRedesign({ template }: TemplateCut, blocks: readonly string[]): Promise<void> {
    const shared = template.filter((hash) => blocks.includes(hash)).length;
    const isOther = template.length >= MIN_TEMPLATE && shared < template.length * REDESIGN_SHARE;
    this.#othersInRow = isOther ? this.#othersInRow + 1 : 0;
    if (this.#othersInRow < OTHERS_IN_ROW) return;
    this.#othersInRow = 0;
    const left = (await this.#load()).clear();
    this.#hasLookedAhead = false;
    await this.#options.memory.removeFromSample(left);
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

  /** The page itself is already known. */
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
