import { z } from 'zod';
import {
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
} from '../../../knowledge/loaders/html/parse-html.ts';
import { type PageBlock, readPageBlocks } from '../template/page-blocks.ts';
import { type CutNotes, cutReasons } from './cut-notes.ts';

const MAX_BLOCKS = 1_000;
const MAX_TEXT = 2_000;
const MAX_ROWS = 100;
const MAX_CELLS = 12;
const MAX_CELL = 200;

export const blockKinds = ['heading', 'text', 'item', 'code', 'table', 'links'] as const;

export const cutBlockSchema = z.object({
  hash: z.string(),
  kind: z.enum(blockKinds),
  /** The level of a heading, 1 to 6; otherwise 0. */
  level: z.int(),
  text: z.string(),
  /** The cells of a table; otherwise empty. */
  rows: z.array(z.array(z.string()).readonly()).readonly(),
  /** Null: it is kept. */
  reason: z.enum(cutReasons).nullable(),
  /** Of a block of the site: the hash under which its pages were counted. */
  template: z.string().nullable(),
});

/** A block of a page as plain text, and whether it is in the document. */
export type CutBlock = z.output<typeof cutBlockSchema>;

/** Returns all blocks of a page, before anything is cut. */
export function listBlocks(body: HtmlParent): readonly PageBlock[] {
  return readPageBlocks(body);
}

/** Describes the blocks after the page was cut. */
export function describeBlocks(blocks: readonly PageBlock[], notes: CutNotes): readonly CutBlock[] {
  return blocks.slice(0, MAX_BLOCKS).map((block) => {
    const cut = notes.cutOf(block.nodes);
    const table = block.nodes.find((node) => isElement(node) && node.tagName === 'table');
    const rows = table === undefined ? [] : rowsOf(table);
    return {
      ...{ hash: block.hash, kind: kindOf(block), level: block.level, text: shorten(block.text, MAX_TEXT) },
      ...{ rows, reason: cut?.reason ?? null, template: cut?.template ?? null },
    };
  });
}

function kindOf({ nodes, parent, level, isLinks }: PageBlock): CutBlock['kind'] {
  const tags = [...nodes.filter(isElement).slice(0, 1), parent].map((node) =>
    'tagName' in node ? node.tagName : '',
  );
  if (level > 0 || tags[0] === 'summary') return 'heading';
  if (tags[0] === 'table') return 'table';
  if (tags[0] === 'pre') return 'code';
  if (isLinks) return 'links';
  return tags.includes('li') ? 'item' : 'text';
}

function rowsOf(table: HtmlNode): readonly (readonly string[])[] {
  const rows: HtmlElement[] = [];
  const visit = (node: HtmlNode): void => {
    if (!isElement(node)) return;
    if (node.tagName === 'tr') rows.push(node);
    else for (const child of node.childNodes) visit(child);
  };
  visit(table);
  return rows.slice(0, MAX_ROWS).map((row) =>
    row.childNodes
      .filter(isElement)
      .slice(0, MAX_CELLS)
      .map((cell) => shorten(textOf(cell).replace(/\s+/g, ' ').trim(), MAX_CELL)),
  );
}

function textOf(node: HtmlNode): string {
  if ('value' in node) return node.value;
  return isElement(node) ? node.childNodes.map(textOf).join(' ') : '';
}

function shorten(text: string, most: number): string {
  const characters = Array.from(text.slice(0, most * 2));
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}
