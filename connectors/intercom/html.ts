import { convert, type FormatCallback } from 'html-to-text';
import type { Block, Span, Style, TextBlock } from '../shared/markdown/blocks.ts';
import { escapeHtml, renderHtmlSpans } from '../shared/markdown/write-blocks.ts';

interface ParsedHtml {
  readonly text: string;
  /** Addresses of the pictures that stand in the text, in their order. */
  readonly images: readonly string[];
}

/** Deeper than a person writes; more is dropped. */
const limits = { maxDepth: 60, maxInputLength: 200_000, ellipsis: '…' };

/** What a body of Intercom's says, without its markup: lists and paragraphs stay apart, addresses stand behind links. */
export function parseHtml(html: string): ParsedHtml {
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

/** Blocks in the few tags that Intercom's messenger, its inbox and its mails all show. */
export function renderHtml(blocks: readonly Block[]): string {
  return groupParagraphs(blocks).map(renderParagraph).join('');
}

/** Lines that follow one another without an empty one share a paragraph, unless one of them is code. */
function groupParagraphs(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const paragraphs: Block[][] = [];
  for (const block of blocks) {
    const last = paragraphs.at(-1);
    const before = last?.at(-1);
    const joins =
      block.tight && block.kind === 'text' && before?.kind === 'text' && isSameQuotation(block, before);
    if (joins) last?.push(block);
    else paragraphs.push([block]);
  }
  return paragraphs;
}

function isSameQuotation(block: Block, before: Block): boolean {
  return block.quoted === before.quoted;
}

function renderParagraph(blocks: readonly Block[]): string {
  const [first] = blocks;
  if (first?.kind === 'code') return `<pre><code>${escapeHtml(first.text)}</code></pre>`;
  const lines = blocks.map((block) => (block.kind === 'text' ? renderLine(block) : ''));
  const inner = `<p>${lines.join('<br>')}</p>`;
  return first?.quoted === true ? `<blockquote>${inner}</blockquote>` : inner;
}

function renderLine({ prefix, heading, spans }: TextBlock): string {
  return indented(prefix) + renderHtmlSpans(spans, (span) => renderSpan(span, heading !== null));
}

/** Spaces at the beginning of a line are not shown as they are. */
function indented(prefix: string): string {
  const spaces = /^ */.exec(prefix)?.[0].length ?? 0;
  return '&nbsp;'.repeat(spaces) + escapeHtml(prefix.slice(spaces));
}

function renderSpan({ text, style }: Span, isHeading: boolean): string {
  const lines = escapeHtml(text).replaceAll('\n', '<br>');
  return styleTags(isHeading ? { ...style, bold: true } : style).reduce(
    (inner, tag) => `<${tag}>${inner}</${tag}>`,
    lines,
  );
}

function styleTags({ code, bold, italic, underline, strike }: Style): readonly string[] {
  const tags = { code, b: bold, i: italic, u: underline, s: strike };
  return Object.entries(tags).flatMap(([tag, has]) => (has === true ? [tag] : []));
}
