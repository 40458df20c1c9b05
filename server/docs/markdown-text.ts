import type { Nodes } from 'mdast';

const separators: Readonly<Partial<Record<Nodes['type'], string>>> = {
  tableRow: ' · ',
  table: ' — ',
  list: ' ',
  listItem: ' ',
  blockquote: ' ',
};

/** The words of a part of a document, without markup. */
export function plainText(node: Nodes): string {
  if ('value' in node) return node.type === 'html' ? '' : node.value;
  if (node.type === 'break') return ' ';
  if (!('children' in node)) return '';
  return node.children.map(plainText).join(separators[node.type] ?? '');
}

/** The anchors of one document's headings, as GitHub makes them: a link works there and on our own pages. */
export class Anchors {
  readonly #uses = new Map<string, number>();

  next(heading: string): string {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const uses = this.#uses.get(anchor) ?? 0;
    this.#uses.set(anchor, uses + 1);
    return uses === 0 ? anchor : `${anchor}-${uses}`;
  }
}
