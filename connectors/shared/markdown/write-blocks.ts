import { type Block, linkRuns, type Span } from './blocks.ts';

/** Without any markup, for platforms that have none and for those that refuse ours. Links stand behind their texts. */
export function plainText(blocks: readonly Block[]): string {
  return blocks.map((block, index) => separator(block, index) + quoted(block, textOf(block))).join('');
}

function separator(block: Block, index: number): string {
  if (index === 0) return '';
  return block.tight ? '\n' : '\n\n';
}

function quoted(block: Block, text: string): string {
  return block.quoted ? text.replaceAll(/^/gm, '> ') : text;
}

function textOf(block: Block): string {
  if (block.kind === 'code') return block.text;
  return block.prefix + linkRuns(block.spans).map(runOf).join('');
}

function runOf({ link, spans }: { link: string | null; spans: readonly Span[] }): string {
  const text = spans.map((span) => span.text).join('');
  return link === null || bare(text) === bare(link) ? text : `${text} (${link})`;
}

function bare(address: string): string {
  return address.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Spans in HTML, with links around those that lead somewhere; `write` knows the tags that a platform has for their looks. */
export function htmlSpans(spans: readonly Span[], write: (span: Span) => string): string {
  return linkRuns(spans)
    .map(({ link, spans: run }) => {
      const inner = run.map(write).join('');
      return link === null ? inner : `<a href="${escapedHtml(link)}">${inner}</a>`;
    })
    .join('');
}

/** A text as it stands in HTML, between tags and in the quotes of an attribute. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
