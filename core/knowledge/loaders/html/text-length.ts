import { type HtmlParent, isElement } from './parse-html.ts';

/** Characters of text under a node, without scripts and styles: enough to compare parts of a page. */
export function textLength(parent: HtmlParent): number {
  let length = 0;
  for (const node of parent.childNodes) {
    if ('value' in node) length += node.value.trim().length;
    else if (isElement(node) && node.tagName !== 'script' && node.tagName !== 'style')
      length += textLength(node);
  }
  return length;
}
