/** How a run of letters looks. */
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

/** What lines or aligned letters were written from, for platforms that show tables. */
export interface Table {
  readonly align: readonly ('left' | 'right' | 'center' | null)[];
  readonly header: Row;
  readonly rows: readonly Row[];
}

interface Place {
  readonly quoted: boolean;
  /** Follows the block before it without an empty line. */
  readonly tight: boolean;
}

export interface TextBlock extends Place {
  readonly kind: 'text';
  /** 1 to 6; null where it is no heading. */
  readonly heading: number | null;
  /** What stands before the text: the mark of an item, and the spaces that it is moved in by. */
  readonly prefix: string;
  readonly spans: readonly Span[];
  /** Where the text is a whole row of a table. */
  readonly row?: { readonly table: Table; readonly index: number };
}

export interface CodeBlock extends Place {
  readonly kind: 'code';
  readonly language: string | null;
  readonly text: string;
  /** Where the text is a whole table in aligned letters. */
  readonly table?: Table;
}

/** A message is a list of these: what every platform's markup can be written from, and be split between. */
export type Block = TextBlock | CodeBlock;

/** Whether there is nothing to see of it. */
export function isBlankBlock(block: Block): boolean {
  if (block.kind === 'code') return block.text.trim() === '';
  return block.prefix.trim() === '' && block.spans.every(({ text }) => text.trim() === '');
}

interface LinkRun {
  readonly link: string | null;
  readonly spans: readonly Span[];
}

/** Neighbours that lead to the same place, together: one link may be set in several ways. */
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
