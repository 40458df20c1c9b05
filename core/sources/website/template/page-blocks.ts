import { createHash } from 'node:crypto';
import {
  getAttribute,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
} from '../../../knowledge/loaders/html/parse-html.ts';
import { hasSentence, wordCount } from '../../../knowledge/loaders/html/read-element.ts';
import { isLayoutTable } from '../../../knowledge/loaders/html/read-table.ts';

/** A run of text without blocks inside, a table or a listing, with the nodes that hold it. */
export interface PageBlock {
  readonly nodes: readonly HtmlNode[];
  readonly parent: HtmlParent;
  readonly text: string;
  readonly words: number;
  readonly hash: string;
  /** The level of a heading; 0 for any other block. */
  readonly level: number;
  /** Links are most of its text. */
  readonly isLinks: boolean;
}

const BLOCKS = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main nav ol p pre section summary table tbody td tfoot th
  thead tr ul`.split(/\s+/),
);
const MIN_PROSE_WORDS = 8;
const LINK_SHARE = 0.8;
const HASH_CHARACTERS = 12;

/** Returns the blocks of a page in reading order. Blocks without text are left out. */
export function readPageBlocks(root: HtmlParent): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  const holding = findHolding(root);
  const add = (nodes: readonly HtmlNode[], parent: HtmlParent): void => {
    const block = toBlock(nodes, parent);
    if (block !== null) blocks.push(block);
  };
  const visit = (parent: HtmlParent): void => {
    let inline: HtmlNode[] = [];
    for (const node of parent.childNodes) {
      const isOuter = isElement(node) && (BLOCKS.has(node.tagName) || holding.has(node));
      if (!isOuter) {
        inline.push(node);
        continue;
      }
      add(inline, parent);
      inline = [];
      if (isWhole(node, holding)) add([node], parent);
      else visit(node);
    }
    add(inline, parent);
  };
  visit(root);
  return blocks;
}

/** Returns the elements with blocks inside. */
function findHolding(root: HtmlParent): ReadonlySet<HtmlParent> {
  const holding = new Set<HtmlParent>();
  const visit = (parent: HtmlParent): boolean => {
    let holds = false;
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      const holdsInside = visit(node);
      holds ||= holdsInside || BLOCKS.has(node.tagName);
    }
    if (holds) holding.add(parent);
    return holds;
  };
  visit(root);
  return holding;
}

/**
 * A row of a table or a line of a listing says nothing alone, so tables and listings recur as a whole or not at all.
 */
function isWhole(element: HtmlElement, holding: ReadonlySet<HtmlParent>): boolean {
  if (element.tagName === 'pre' || element.tagName === 'dl' || /^h[1-6]$/.test(element.tagName)) return true;
  if (element.tagName === 'table') return !isLayoutTable(element);
  return !holding.has(element);
}

function toBlock(nodes: readonly HtmlNode[], parent: HtmlParent): PageBlock | null {
  const sum = { text: '', linked: 0 };
  for (const node of nodes) read(node, sum, false);
  const text = sum.text.replace(/\s+/g, ' ').trim();
  if (text === '') return null;
  const [first] = nodes;
  const tag = first !== undefined && isElement(first) && BLOCKS.has(first.tagName) ? first.tagName : '';
  const level = /^h[1-6]$/.test(tag) ? Number(tag.slice(1)) : 0;
  const words = wordCount(text);
  const kind = level > 0 ? 'h' : words >= MIN_PROSE_WORDS && hasSentence(text) ? 'p' : 'b';
  const around = 'tagName' in parent ? parent.tagName : '';
  const digest = createHash('sha256').update(`${around}>${tag} ${text.toLowerCase()}`).digest('base64url');
  return {
    ...{ nodes, parent, text, words, level },
    hash: kind + digest.slice(0, HASH_CHARACTERS),
    isLinks: sum.linked >= text.length * LINK_SHARE,
  };
}

function read(node: HtmlNode, sum: { text: string; linked: number }, inLink: boolean): void {
  if ('value' in node) {
    sum.text += node.value;
    if (inLink) sum.linked += node.value.trim().length;
  } else if (isElement(node)) {
    if (node.tagName === 'img') sum.text += ` ${getAttribute(node, 'alt') ?? ''} `;
    if (BLOCKS.has(node.tagName) || node.tagName === 'br') sum.text += ' ';
    // Links without a target keep no address, but stay links.
    for (const child of node.childNodes) read(child, sum, inLink || node.tagName === 'a');
  }
}
