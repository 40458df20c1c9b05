import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { DocumentError } from '../../document-error.ts';

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Browsers stop at 512 too; without a limit the parser's time grows with the square of the depth. */
const MAX_DEPTH = 600;

/** Parses a page or a fragment as browsers do. Throws `nested_too_deeply`. */
export function parseHtml(html: string): DefaultTreeAdapterTypes.Document {
  let depth = 0;
  return parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush() {
        depth += 1;
        if (depth > MAX_DEPTH) throw new DocumentError('nested_too_deeply');
      },
      onItemPop() {
        depth -= 1;
      },
    },
  });
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function getAttribute(element: HtmlElement, name: string): string | null {
  return element.attrs.find((one) => one.name === name)?.value ?? null;
}

/** Depth-first, in document order. */
export function findElement(
  root: HtmlParent,
  matches: (element: HtmlElement) => boolean,
): HtmlElement | null {
  for (const node of root.childNodes) {
    if (!isElement(node)) continue;
    const found = matches(node) ? node : findElement(node, matches);
    if (found !== null) return found;
  }
  return null;
}

/** Characters of text under a node, without scripts and styles: enough to compare parts of a page. */
export function countTextCharacters(parent: HtmlParent): number {
  let length = 0;
  for (const node of parent.childNodes) {
    if ('value' in node) length += node.value.trim().length;
    else if (isElement(node) && node.tagName !== 'script' && node.tagName !== 'style')
      length += countTextCharacters(node);
  }
  return length;
}
