import { convert, type FormatCallback } from 'html-to-text';
import type { Block, Span, Style, TextBlock } from '../shared/markdown/blocks.ts';
import { escapeHtml, renderHtmlSpans } from '../shared/markdown/blocks.ts';

interface ParsedHtml {
  readonly text: string;
  /** The addresses of the pictures in the text, in order. */
  readonly images: readonly string[];
}

/** Deeper than any text that a person writes. Content beyond the limits is dropped. */
const limits = { maxDepth: 60, maxInputLength: 200_000, ellipsis: '…' };

/** Converts an HTML body to plain text with separate paragraphs and lists, and with addresses behind links. */
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

/** Renders blocks with the few tags that Intercom's messenger, inbox and mails all support. */
export function renderHtml(blocks: readonly Block[]): string {
  return groupParagraphs(blocks).map(renderParagraph).join('');
}

/** Adjacent text blocks without an empty line between them share a paragraph. */
function groupParagraphs(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const paragraphs: Block[][] = [];
  for (const block of blocks) {
    const last = paragraphs.at(-1);
    const previous = last?.at(-1);
    const joins =
      block.tight && block.kind === 'text' && previous?.kind === 'text' && isSameQuotation(block, previous);
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

/** HTML collapses spaces at the start of a line, so they become non-breaking spaces. */
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
