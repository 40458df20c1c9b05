import { createHash } from 'node:crypto';
import { type HtmlElement, type HtmlParent, isElement } from '../../../knowledge/loaders/html/parse-html.ts';
import type { CutNotes } from '../tree/cut-notes.ts';
import { type PageBlock, readPageBlocks } from './page-blocks.ts';
import { isProse } from './site-template.ts';

export interface TemplateCut {
  /** Hashes of the blocks that recur on the site. */
  readonly template: readonly string[];
  /** Those of them that this page keeps, so that one document of the site has them. */
  readonly kept: readonly string[];
  /** The start page keeps all sentences of the site. */
  readonly keepsProse: boolean;
}

export const NO_TEMPLATE: TemplateCut = { template: [], kept: [], keepsProse: false };

/** A page after the blocks of its site were cut. */
export interface CutPage {
  /** Hashes of all its blocks, for the template of the site. */
  readonly blocks: readonly string[];
  /** Hash of the text that is left. */
  readonly textHash: string;
  /** The number of words that are left, without headings. */
  readonly words: number;
  /** A heading of its own stays. */
  readonly hasHeading: boolean;
  /** The page has no text of its own: it is a shell that a script fills, or only parts of the site. */
  readonly isEmpty: boolean;
}

const MAX_BLOCKS = 300;
const LABEL_WORDS = 3;
/** A part with more blocks is not a pair of a label and its value. */
const MAX_PAIR_BLOCKS = 4;
/** Fewer words without a heading of their own are not a page. */
const MIN_WORDS = 4;
const OWN_HEADING_LEVEL = 3;

interface CutOptions extends TemplateCut {
  /** The tree has nothing around the content that the page marks. */
  readonly isContent?: boolean;
  readonly notes?: CutNotes;
}

/**
 * Removes the blocks of the site from the tree of a page. A page that consists of such blocks keeps them, and the
 * result says so.
 */
export function cutTemplate(root: HtmlParent, options: CutOptions): CutPage {
  const blocks = readPageBlocks(root);
  const known = new Set(options.template);
  const recurring = new Set(blocks.filter(({ hash }) => known.has(hash)));
  const kept = findKept(blocks, recurring, options);
  for (const block of kept) recurring.delete(block);
  keepLabels(blocks, recurring);
  judgeHeadings(blocks, recurring);
  const isOwn = (block: PageBlock): boolean => !recurring.has(block) && !kept.has(block);
  const hasOwn = (): boolean => blocks.some((block) => block.level === 0 && isOwn(block));
  const heading = blocks.find((block) => isOwnHeading(block, known));
  if (!hasOwn() && heading !== undefined) restoreBeside(heading, blocks, { recurring, kept });
  const isShell = !hasOwn();
  if (isShell) recurring.clear();
  const left = blocks.filter(isOwn);
  const words = left.reduce((sum, block) => sum + (block.level === 0 ? block.words : 0), 0);
  for (const block of recurring) {
    for (const node of block.nodes) options.notes?.note(node, 'template', block.hash);
  }
  removeBlocks(recurring);
  const hashes = [...new Set(blocks.map(({ hash }) => hash))].slice(0, MAX_BLOCKS);
  const isThin = words < MIN_WORDS && heading === undefined && recurring.size + kept.size > 0;
  return {
    ...{
      blocks: hashes,
      textHash: hashText(left.filter(({ level, hash }) => level === 0 || !known.has(hash))),
      words,
      hasHeading: heading !== undefined,
    },
    isEmpty: isThin || (isShell && known.size > 0),
  };
}

/**
 * Finds the blocks of the site that this page keeps. Without marked content, menus and footers stand around it: there
 * only sentences are kept. Headings are judged by the text below them.
 */
function findKept(
  blocks: readonly PageBlock[],
  recurring: ReadonlySet<PageBlock>,
  { kept, keepsProse, isContent = false }: CutOptions,
): Set<PageBlock> {
  const hashes = new Set(kept);
  const isOwn = (block: PageBlock): boolean => !recurring.has(block);
  const [first, last] = [blocks.findIndex(isOwn), blocks.findLastIndex(isOwn)];
  return new Set(
    blocks.filter((block, place) => {
      if (isOwn(block) || block.level > 0 || block.isLinks) return false;
      if (keepsProse && isProse(block.hash)) return true;
      return hashes.has(block.hash) && (isContent || (place > first && place < last));
    }),
  );
}

function hashText(blocks: readonly PageBlock[]): string {
  const hash = createHash('sha256');
  for (const { text } of blocks) hash.update(`${text.toLowerCase()}\n`);
  return hash.digest('base64url').slice(0, 22);
}

function isOwnHeading({ level, hash }: PageBlock, known: ReadonlySet<string>): boolean {
  return level > 0 && level <= OWN_HEADING_LEVEL && !known.has(hash);
}

/** "Price" recurs on all pages of a shop, and belongs to the value after it. */
function keepLabels(blocks: readonly PageBlock[], recurring: Set<PageBlock>): void {
  const counts = new Map<HtmlParent, number>();
  for (const block of blocks) {
    for (const parent of containersOf(block)) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  for (const [place, block] of blocks.entries()) {
    const next = blocks[place + 1];
    if (!recurring.has(block) || block.level > 0 || block.words > LABEL_WORDS || block.isLinks) continue;
    if (next === undefined || next.level > 0 || next.isLinks || recurring.has(next)) continue;
    const [container] = containersOf(block);
    const isPair = container !== undefined && (counts.get(container) ?? 0) <= MAX_PAIR_BLOCKS;
    if (isPair && containersOf(next).includes(container)) recurring.delete(block);
  }
}

/** Returns the parent of a block and the one above it. */
function containersOf({ parent }: PageBlock): readonly HtmlParent[] {
  const above = 'parentNode' in parent ? parent.parentNode : null;
  return above === null ? [parent] : [parent, above];
}

/**
 * Judges recurring headings by the text below them: with text of the page they stay ("Usage"), with nothing or only
 * links they are removed together with those ("Related articles"). A recurring heading of level 1 is the name of the
 * site.
 */
function judgeHeadings(blocks: readonly PageBlock[], recurring: Set<PageBlock>): void {
  for (const [place, block] of blocks.entries()) {
    if (block.level <= 1 || !recurring.has(block)) continue;
    const section: PageBlock[] = [];
    for (const other of blocks.slice(place + 1)) {
      if (other.level > 0 && other.level <= block.level) break;
      section.push(other);
    }
    const own = section.filter((other) => !recurring.has(other));
    if (own.every(({ isLinks }) => isLinks)) for (const other of own) recurring.add(other);
    else recurring.delete(block);
  }
}

/**
 * A page of contacts can consist of blocks that stand on all other pages too: its heading shows that they are its
 * content.
 */
function restoreBeside(
  heading: PageBlock,
  blocks: readonly PageBlock[],
  { recurring, kept }: { readonly recurring: Set<PageBlock>; readonly kept: Set<PageBlock> },
): void {
  for (const block of blocks.slice(blocks.indexOf(heading) + 1)) {
    if (!containersOf(block).includes(heading.parent)) continue;
    recurring.delete(block);
    kept.delete(block);
  }
}

/** Removes blocks with the frames that are empty then. */
export function removeBlocks(blocks: Iterable<PageBlock>): void {
  const removed = [...blocks];
  const nodes = new Set(removed.flatMap((block) => block.nodes));
  const parents = new Set(removed.map(({ parent }) => parent));
  for (const parent of parents) parent.childNodes = parent.childNodes.filter((node) => !nodes.has(node));
  for (const parent of parents) removeIfEmpty(parent);
}

const REMOVED = new Set('a aside details div footer header li nav ol p section span ul'.split(' '));

/** Frames without content differ in their names from page to page, and would make equal content unequal. */
function removeIfEmpty(parent: HtmlParent): void {
  if (!('tagName' in parent) || !REMOVED.has(parent.tagName) || holdsContent(parent)) return;
  const { parentNode } = parent;
  if (parentNode === null) return;
  parentNode.childNodes = parentNode.childNodes.filter((node) => node !== parent);
  removeIfEmpty(parentNode);
}

function holdsContent(parent: HtmlElement): boolean {
  return parent.childNodes.some((node) =>
    'value' in node
      ? node.value.trim() !== ''
      : isElement(node) && (node.tagName === 'img' || holdsContent(node)),
  );
}
