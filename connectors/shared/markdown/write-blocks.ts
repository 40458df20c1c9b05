import { type Block, groupByLink, type Span } from './blocks.ts';

/**
 * Renders blocks without markup, for platforms that have none or refuse ours. The address of a link follows its text.
 */
export function renderPlainText(blocks: readonly Block[]): string {
  return blocks
    .map((block, index) => separator(block, index) + withQuoteMarks(block, blockText(block)))
    .join('');
}

function separator(block: Block, index: number): string {
  if (index === 0) return '';
  return block.tight ? '\n' : '\n\n';
}

function withQuoteMarks(block: Block, text: string): string {
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function blockText(block: Block): string {
  if (block.kind === 'code') return block.text;
  return block.prefix + groupByLink(block.spans).map(renderLink).join('');
}

function renderLink({ link, spans }: { link: string | null; spans: readonly Span[] }): string {
  const text = spans.map((span) => span.text).join('');
  return link === null || withoutScheme(text) === withoutScheme(link) ? text : `${text} (${link})`;
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Renders spans as HTML with links. `write` adds the platform's tags for the style of a span. */
export function renderHtmlSpans(spans: readonly Span[], write: (span: Span) => string): string {
  return groupByLink(spans)
    .map(({ link, spans: run }) => {
      const inner = run.map(write).join('');
      return link === null ? inner : `<a href="${escapeHtml(link)}">${inner}</a>`;
    })
    .join('');
}

/** Escapes a text for HTML, both between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
