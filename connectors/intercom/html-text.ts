import { convert, type FormatCallback } from 'html-to-text';

interface ReadHtml {
  readonly text: string;
  /** Addresses of the pictures that stand in the text, in their order. */
  readonly images: readonly string[];
}

/** Deeper than a person writes; more is dropped. */
const limits = { maxDepth: 60, maxInputLength: 200_000, ellipsis: '…' };

/** What a body of Intercom's says, without its markup: lists and paragraphs stay apart, addresses stand behind links. */
export function readHtml(html: string): ReadHtml {
  const images: string[] = [];
  const picture: FormatCallback = ({ attribs }) => {
    const address: unknown = attribs?.src;
    if (typeof address === 'string' && address !== '') images.push(address);
  };
  const text = convert(html, {
    wordwrap: false,
    limits,
    formatters: { picture },
    selectors: [
      { selector: 'img', format: 'picture' },
      {
        selector: 'a',
        options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'], ignoreHref: false },
      },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
  return { text: text.replaceAll(/\n\s*\n\s*\n/g, '\n\n').trim(), images };
}
