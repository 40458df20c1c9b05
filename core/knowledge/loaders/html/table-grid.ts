import { attribute, type HtmlElement, type HtmlParent } from './parse-html.ts';

/** The same object stands at every place that the cell spans. */
export interface Cell {
  readonly text: string;
}

interface OpenSpan {
  readonly cell: Cell;
  rows: number;
}

const MAX_COLUMNS = 200;

/** The cells of a table by row and column, spans filled in. */
export function tableGrid(
  rows: readonly (readonly HtmlElement[])[],
  linesOf: (parent: HtmlParent) => string[],
): readonly (readonly Cell[])[] {
  const open: (OpenSpan | undefined)[] = [];
  return rows.map((elements) => {
    const row: Cell[] = [];
    const fillSpans = (): void => {
      for (let span = open[row.length]; span !== undefined && span.rows > 0; span = open[row.length]) {
        span.rows -= 1;
        row.push(span.cell);
      }
    };
    for (const element of elements) {
      fillSpans();
      const cell = { text: cellText(linesOf(element)) };
      const columns = Math.min(span(element, 'colspan'), MAX_COLUMNS - row.length);
      for (let count = 0; count < columns; count += 1) {
        open[row.length] = { cell, rows: span(element, 'rowspan') - 1 };
        row.push(cell);
      }
    }
    fillSpans();
    return row;
  });
}

function span(element: HtmlElement, name: 'colspan' | 'rowspan'): number {
  return Math.max(1, Number.parseInt(attribute(element, name) ?? '1', 10) || 1);
}

function cellText(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim().replace(/^- /, ''))
    .reduce(
      (text, line) => (text === '' || /[.,:;!?]$/.test(text) ? `${text} ${line}` : `${text}; ${line}`),
      '',
    )
    .trim();
}
