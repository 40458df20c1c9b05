import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { DocumentError } from '../../document-error.ts';

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

/** Browsers have a similar limit (512). Without one the parser's time grows with the square of the depth. */
const MAX_DEPTH = 600;

/** Parses a page or a fragment as browsers do (HTML standard). Throws `nested_too_deeply`. */
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
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Returns the first matching element, depth-first in document order, or null. */
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

/** Counts the characters of text under a node without scripts and styles, to compare parts of a page. */
export function countTextCharacters(parent: HtmlParent): number {
  let length = 0;
  for (const node of parent.childNodes) {
    if ('value' in node) length += node.value.trim().length;
    else if (isElement(node) && node.tagName !== 'script' && node.tagName !== 'style')
      length += countTextCharacters(node);
  }
  return length;
}
