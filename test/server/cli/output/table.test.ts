import { describe, expect, test } from 'vitest';
import { type Column, renderTable } from '../../../../server/cli/output.ts';

interface Row {
  readonly title: string;
  readonly chunks: number;
}

const columns: readonly Column<Row>[] = [
  { heading: 'TITLE', cell: ({ title }) => title, flexible: true },
  { heading: 'CHUNKS', cell: ({ chunks }) => chunks },
];

describe('renderTable', () => {
  test('aligns columns by their width on a terminal, and numbers to the right', () => {
    const rows = [
      { title: '返品', chunks: 7 },
      { title: 'Café 👩‍🌾', chunks: 1234567 },
    ];
    expect(renderTable(columns, rows, null)).toEqual([
      'TITLE     CHUNKS',
      '返品           7',
      'Café 👩‍🌾  1234567',
    ]);
  });

  test('truncates a flexible column to the width of the terminal', () => {
    const rows = [{ title: 'A title that goes on and on and on', chunks: 3 }];
    expect(renderTable(columns, rows, 30)[1]).toBe('A title that goes on …       3');
    expect(renderTable(columns, rows, null)[1]).toContain('on and on and on');
  });

  test('removes control characters and line breaks from cells', () => {
    const rows = [{ title: 'red \u001b[31malert\u001b]0;title\u0007\nnext\u202edrow', chunks: 1 }];
    expect(renderTable(columns, rows, null)[1]).toBe('red alert nextdrow       1');
  });
});
