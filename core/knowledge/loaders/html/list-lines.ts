import { attribute, type HtmlElement, type HtmlParent, isElement } from './parse-html.ts';

const INDENT = '  ';

/** A list as lines: `- item` or `1. item`, what belongs to an item indented under it. */
export function listLines(list: HtmlElement, linesOf: (parent: HtmlParent) => string[]): string[] {
  const ordered = list.tagName === 'ol';
  let number = Number.parseInt(attribute(list, 'start') ?? '1', 10) || 1;
  const lines: string[] = [];
  for (const item of list.childNodes) {
    if (!isElement(item)) continue;
    if (item.tagName !== 'li') {
      for (const line of linesOf({ ...list, childNodes: [item] })) lines.push(INDENT + line);
      continue;
    }
    const marker = ordered ? `${number}. ` : '- ';
    number += 1;
    for (const [index, line] of linesOf(item).entries()) lines.push((index === 0 ? marker : INDENT) + line);
  }
  return lines;
}
