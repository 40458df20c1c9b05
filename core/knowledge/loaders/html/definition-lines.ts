import { withLabel } from '../row-lines.ts';
import { type HtmlElement, type HtmlParent, isElement } from './parse-html.ts';

/** A definition list as lines of `term: definition`; more lines of one definition follow indented. */
export function definitionLines(list: HtmlElement, linesOf: (parent: HtmlParent) => string[]): string[] {
  const lines: string[] = [];
  let terms: string[] = [];
  for (const element of termsAndDefinitions(list)) {
    const text = linesOf(element);
    if (element.tagName === 'dt') terms.push(text.join(' '));
    else {
      const [first = '', ...rest] = text;
      lines.push(`- ${withLabel(terms.join(' / '), first)}`, ...rest.map((line) => `  ${line}`));
      terms = [];
    }
  }
  return terms.length === 0 ? lines : [...lines, `- ${terms.join(' / ')}`];
}

/** Groups may be wrapped in a `div`. */
function termsAndDefinitions(list: HtmlElement): HtmlElement[] {
  return list.childNodes.filter(isElement).flatMap((element) => {
    if (element.tagName === 'dt' || element.tagName === 'dd') return [element];
    return element.tagName === 'div' ? termsAndDefinitions(element) : [];
  });
}
