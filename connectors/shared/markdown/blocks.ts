/** The formatting of a span. */
export interface Style {
  readonly bold?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly code?: true;
  /** An http(s) address. */
  readonly link?: string;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Row = readonly (readonly Span[])[];

/** The source table of lines or aligned text, for platforms that show tables. */
export interface Table {
  readonly align: readonly ('left' | 'right' | 'center' | null)[];
  readonly header: Row;
  readonly rows: readonly Row[];
}

interface Place {
  readonly quoted: boolean;
  /** Whether the block follows the previous one without an empty line. */
  readonly tight: boolean;
}

export interface TextBlock extends Place {
  readonly kind: 'text';
  /** Level 1 to 6; null if the block is not a heading. */
  readonly heading: number | null;
  /** The list marker and the indentation before the text. */
  readonly prefix: string;
  readonly spans: readonly Span[];
  /** Set if the text is a whole row of a table. */
  readonly row?: { readonly table: Table; readonly index: number };
}

export interface CodeBlock extends Place {
  readonly kind: 'code';
  readonly language: string | null;
  readonly text: string;
  /** Set if the text is a whole table, aligned with spaces. */
  readonly table?: Table;
}

/** A message is a list of blocks, which can be split and rendered in the markup of any platform. */
export type Block = TextBlock | CodeBlock;

/** Whether the block shows nothing. */
export function isBlankBlock(block: Block): boolean {
  if (block.kind === 'code') return block.text.trim() === '';
  return block.prefix.trim() === '' && block.spans.every(({ text }) => text.trim() === '');
}

interface LinkRun {
  readonly link: string | null;
  readonly spans: readonly Span[];
}

/** Groups adjacent spans with the same link, because one link can contain several styles. */
export function groupByLink(spans: readonly Span[]): readonly LinkRun[] {
  const runs: { link: string | null; spans: Span[] }[] = [];
  for (const span of spans) {
    const link = span.style.link ?? null;
    const last = runs.at(-1);
    if (last?.link === link) last.spans.push(span);
    else runs.push({ link, spans: [span] });
  }
  return runs;
}

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
