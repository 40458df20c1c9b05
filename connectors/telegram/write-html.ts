import { escapedHtml } from '../shared/escaped-html.ts';
import type { Block, Span, Style, TextBlock } from '../shared/markdown/block.ts';
import { htmlSpans } from '../shared/markdown/html-spans.ts';

/** Blocks in the HTML that Telegram understands: few tags, no paragraphs, line feeds as they are. */
export function writeHtml(blocks: readonly Block[]): string {
  return (
    blocks.map((block, index) => between(block, blocks[index - 1]) + written(block)).join('') +
    closing(blocks)
  );
}

/** Neighbours in a quotation share one; code stands outside of it, for Telegram takes no code within. */
function between(block: Block, before: Block | undefined): string {
  const opened = isInQuote(block) && !(before && isInQuote(before)) ? '<blockquote>' : '';
  if (before === undefined) return opened;
  const closed = isInQuote(before) && !isInQuote(block) ? '</blockquote>' : '';
  return `${closed}${block.tight ? '\n' : '\n\n'}${opened}`;
}

function closing(blocks: readonly Block[]): string {
  const last = blocks.at(-1);
  return last !== undefined && isInQuote(last) ? '</blockquote>' : '';
}

function isInQuote(block: Block): boolean {
  return block.quoted && block.kind === 'text';
}

function written(block: Block): string {
  if (block.kind === 'text') return writeText(block);
  const code = escapedHtml(block.text);
  if (block.language === null) return `<pre>${code}</pre>`;
  return `<pre><code class="language-${escapedHtml(block.language)}">${code}</code></pre>`;
}

function writeText({ prefix, heading, spans }: TextBlock): string {
  return escapedHtml(prefix) + htmlSpans(spans, (span) => writeSpan(span, heading !== null));
}

/** Telegram takes neither looks nor links within code. */
function writeSpan({ text, style }: Span, isHeading: boolean): string {
  if (style.code === true && style.link === undefined) return `<code>${escapedHtml(text)}</code>`;
  return tagsOf(isHeading ? { ...style, bold: true } : style).reduce(
    (inner, tag) => `<${tag}>${inner}</${tag}>`,
    escapedHtml(text),
  );
}

function tagsOf(style: Style): readonly string[] {
  const tags = { b: style.bold, i: style.italic, u: style.underline, s: style.strike };
  return Object.entries(tags).flatMap(([tag, has]) => (has === true ? [tag] : []));
}
