import { createHash } from 'node:crypto';
import { defaultTreeAdapter, html } from 'parse5';
import {
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
} from '../../../knowledge/loaders/html/parse-html.ts';
import { type CutPage, removeBlocks } from '../template/cut-template.ts';
import type { PageBlock } from '../template/page-blocks.ts';
import type { CutNotes } from './cut-notes.ts';

/** The rules of a source for one page, as hashes of blocks. */
export interface BlockRules {
  readonly keep: readonly string[];
  readonly cut: readonly string[];
}

export const NO_RULES: BlockRules = { keep: [], cut: [] };

export function isWithoutRules({ keep, cut }: BlockRules): boolean {
  return keep.length === 0 && cut.length === 0;
}

interface Ruling {
  readonly content: HtmlParent;
  /** All blocks of the page in reading order. */
  readonly listed: readonly PageBlock[];
  readonly notes: CutNotes;
  readonly rules: BlockRules;
}

/**
 * Puts back what people want to keep, behind the kept block before it, and removes what they do not want. Blocks are known
 * by their text and the elements around it: one that is worded anew has no rule.
 */
export function applyRules(left: CutPage, { content, listed, notes, rules }: Ruling): CutPage {
  if (isWithoutRules(rules)) return left;
  const [keep, cut] = [new Set(rules.keep), new Set(rules.cut)];
  const restored: PageBlock[] = [];
  const removed: PageBlock[] = [];
  let place: HtmlNode | null = null;
  for (const block of listed) {
    const isCut = notes.cutOf(block.nodes) !== null;
    if (isCut && !keep.has(block.hash)) continue;
    if (!isCut && cut.has(block.hash)) {
      removed.push(block);
      continue;
    }
    const last = block.nodes.at(-1);
    if (!isCut) place = last ?? place;
    else {
      place = putBack(block, content, place);
      restored.push(block);
    }
  }
  if (restored.length + removed.length === 0) return left;
  for (const block of removed) for (const node of block.nodes) notes.note(node, 'rule');
  removeBlocks(removed);
  for (const block of restored) notes.restore(block.nodes);
  const isEmpty = listed.every((block) => notes.cutOf(block.nodes) !== null);
  const changes = [...restored, ...removed].map(({ hash }) => hash).join(' ');
  return {
    ...left,
    // A page that says more than another one is no copy of it.
    textHash: createHash('sha256').update(`${left.textHash} ${changes}`).digest('base64url').slice(0, 22),
    words: left.words + restored.reduce((sum, { words }) => sum + words, 0),
    isEmpty: isEmpty || (left.isEmpty && restored.length === 0),
  };
}

const CONTAINERS = new Set('article body div main section'.split(' '));

/** Puts the text of a block behind a node, or first. Returns the new place. */
function putBack(block: PageBlock, content: HtmlParent, behind: HtmlNode | null): HtmlNode {
  const element = defaultTreeAdapter.createElement('div', html.NS.HTML, []);
  for (const node of block.nodes) defaultTreeAdapter.appendChild(element, plain(node));
  const { parent, after } = placeFor(content, behind);
  const at = after === null ? 0 : parent.childNodes.indexOf(after) + 1;
  parent.childNodes.splice(at, 0, element);
  element.parentNode = parent;
  return element;
}

function placeFor(content: HtmlParent, behind: HtmlNode | null) {
  let after: HtmlNode | null = behind;
  while (after !== null && after.parentNode !== content) {
    const parent: HtmlParent | null = after.parentNode;
    const isPlace = parent !== null && 'tagName' in parent && CONTAINERS.has(parent.tagName);
    if (isPlace && parent.childNodes.includes(after)) return { parent, after };
    after = parent !== null && 'tagName' in parent ? parent : null;
  }
  return { parent: content, after };
}

/** A copy without attributes and landmarks: those are why the loader would leave it out. */
function plain(node: HtmlNode): HtmlNode {
  if (!isElement(node)) return 'value' in node ? textNode(node.value) : textNode('');
  const copy = defaultTreeAdapter.createElement(
    PLAIN.has(node.tagName) ? node.tagName : 'span',
    html.NS.HTML,
    [],
  );
  for (const child of node.childNodes) defaultTreeAdapter.appendChild(copy, plain(child));
  copy.attrs = node.attrs.filter(({ name }) => KEPT_ATTRIBUTES.has(name));
  return copy;
}

const PLAIN = new Set(
  `b blockquote br caption code dd dl dt em h1 h2 h3 h4 h5 h6 i img li ol p pre span strong table tbody td tfoot th thead
  tr ul`.split(/\s+/),
);
const KEPT_ATTRIBUTES = new Set(['alt', 'colspan', 'rowspan', 'start']);

function textNode(value: string): HtmlNode {
  const holder: HtmlElement = defaultTreeAdapter.createElement('span', html.NS.HTML, []);
  defaultTreeAdapter.insertText(holder, value);
  return holder.childNodes[0] ?? holder;
}
