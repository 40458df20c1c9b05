import type { Look } from '../types.ts';

type Attribute = string | number | boolean | null | undefined | ((event: Event) => void);
type Child = Node | string | null;

/** Creates an element. Function attributes become event listeners, by their name, such as `onclick`. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** Creates an icon from one or more paths, as large as the text beside it. */
export function icon(...paths: string[]): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of Object.entries({ viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'icon' }))
    svg.setAttribute(name, value);
  for (const d of paths) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/** Paths in a view box of 24 by 24. */
export const icons = {
  chat: [
    'M21 11.5a8.4 8.4 0 0 1-12 7.6L3.5 20.5l1.4-4.6A8.4 8.4 0 1 1 21 11.5Z',
    'M8.6 10h6.8',
    'M8.6 13.6h4.2',
  ],
  close: ['M6 6l12 12', 'M18 6 6 18'],
  down: ['M6 9l6 6 6-6'],
  send: ['M12 19V5', 'M5.5 11.5 12 5l6.5 6.5'],
  up: [
    'M7 10.5v9H4v-9h3Z',
    'M7 10.5 11 3a2.2 2.2 0 0 1 2.2 2.2V9h4.6a2.2 2.2 0 0 1 2.2 2.6l-1.1 6a2.2 2.2 0 0 1-2.2 1.9H7',
  ],
  downvote: [
    'M7 13.5v-9H4v9h3Z',
    'M7 13.5 11 21a2.2 2.2 0 0 0 2.2-2.2V15h4.6a2.2 2.2 0 0 0 2.2-2.6l-1.1-6a2.2 2.2 0 0 0-2.2-1.9H7',
  ],
  copy: ['M9 9h10v11H9z', 'M15 9V4H5v11h4'],
  check: ['M5 12.5 10 17 19 7'],
  person: ['M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z', 'M4.5 20a7.5 7.5 0 0 1 15 0'],
  link: ['M9 7H6a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-3', 'M13 4h7v7', 'M20 4 11 13'],
  clip: [
    'M20 11.5 12.2 19.3a5 5 0 0 1-7.1-7.1l8.2-8.2a3.4 3.4 0 0 1 4.8 4.8l-8.1 8.1a1.8 1.8 0 0 1-2.5-2.5l7.4-7.4',
  ],
  file: ['M7 3h7l4 4v14H7z', 'M14 3v4h4'],
} as const;

/** Creates a style sheet with the accent colour of the look. */
export function createAccentSheet({ colour, text, light, dark }: Look['accent']): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:host{--p-accent:${colour};--p-on-accent:${text};--p-link-light:${light};--p-link-dark:${dark}}`,
  );
  return sheet;
}

/** Fills the placeholders of a text. */
export function formatText(
  text: string | undefined,
  {
    name = '',
    count = 0,
    when = '',
  }: { readonly name?: string; readonly count?: number; readonly when?: string },
): string {
  const named = (text ?? '').replace('{name}', () => name);
  return named.replace('{count}', String(count)).replace('{when}', () => when);
}

const megabyte = 2 ** 20;

/** Formats a size in bytes, such as `1.2 MB`. */
export function formatSize(language: string, bytes: number): string {
  const isLarge = bytes >= megabyte / 10;
  const unit = isLarge ? 'megabyte' : 'kilobyte';
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(Math.max(0.1, bytes / (isLarge ? megabyte : 1_024)));
}
