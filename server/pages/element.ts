import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;

/** An element of a page. Whatever its attributes and texts hold is written out as text. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly (Element | string)[],
): Element {
  const listed = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  const made = defaultTreeAdapter.createElement(name, html.NS.HTML, listed);
  for (const child of children) {
    if (typeof child === 'string') defaultTreeAdapter.insertText(made, child);
    else defaultTreeAdapter.appendChild(made, child);
  }
  return made;
}
