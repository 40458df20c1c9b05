import { describe, expect, test } from 'vitest';
import { chunkDocument } from '../../../core/knowledge/chunk-document.ts';
import { renderTable } from '../../../core/knowledge/loaders/block-collector.ts';
import type { Row } from '../../../core/knowledge/passage.ts';
import { passageUnits } from '../../../core/knowledge/passage-units.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

const WIDTH = 40;
const labels: Row = [
  'Country',
  ...Array.from({ length: WIDTH - 1 }, (_, index) => `Weight up to ${index + 1} kg`),
];
const rowOf = (name: string, factor: number): Row => [
  name,
  ...Array.from({ length: WIDTH - 1 }, (_, index) => `${(index + 1) * factor} euros`),
];
const rows: readonly Row[] = [rowOf('Norway', 3), rowOf('Japan', 7), rowOf('Peru', 11)];

function unitsOf(tableLabels: Row, tableRows: readonly Row[]): readonly string[] {
  const { text, form } = renderTable(tableLabels, tableRows);
  const blocks = [{ headings: [], kind: 'table' as const, text, ...form }];
  const chunks = chunkDocument({ title: 'Fees', url: null, blocks });
  expect(Math.max(...chunks.map(({ body }) => body.length))).toBeLessThanOrEqual(1000);
  return chunks.flatMap(({ body }) => passageUnits(body).map((unit) => unit.text));
}

describe('a table of 40 columns', () => {
  test('names the row in each passage that has some of its values', () => {
    const units = unitsOf(labels, rows);
    expect(units.length).toBeGreaterThan(rows.length);
    for (const unit of units) expect(unit).toMatch(/^Country: (?:Norway|Japan|Peru); Weight up to/);
  });

  test('keeps every value once, next to the label of its column and the row that it belongs to', () => {
    const units = unitsOf(labels, rows);
    for (const row of rows)
      for (const [column, value] of row.entries()) {
        if (column === 0) continue;
        const label = `${labels[column]}: ${value}`;
        const holders = units.filter(
          (unit) => unit.startsWith(`Country: ${row[0]};`) && unit.split('; ').includes(label),
        );
        expect(holders, `${row[0]} ${label}`).toHaveLength(1);
      }
  });

  test('repeats a running number together with the name beside it', () => {
    const numbered = rows.map((row, index) => [String(index + 1), ...row]);
    for (const unit of unitsOf(['No.', ...labels], numbered))
      expect(unit).toMatch(/^No\.: \d; Country: (?:Norway|Japan|Peru); /);
  });

  test('names a row without a value in the key column by its first value', () => {
    const units = unitsOf(labels, [...rows, ['', ...rowOf('', 13).slice(1)]]);
    const nameless = units.filter((unit) => !unit.startsWith('Country'));
    expect(nameless.length).toBeGreaterThan(1);
    for (const unit of nameless) expect(unit).toMatch(/^Weight up to 1 kg: 13 euros; /);
  });

  test('without labels, each part of a row begins with its first value', () => {
    for (const unit of unitsOf([], rows)) expect(unit).toMatch(/^(?:Norway|Japan|Peru) \| /);
  });
});

test('a cell longer than a passage is cut, each part with the key and the label', () => {
  const note = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
  const units = unitsOf(['Article', 'Note'], [['CF-1', note]]);
  expect(units.length).toBeGreaterThan(2);
  for (const unit of units) expect(unit).toMatch(/^Article: CF-1; Note: word\d+/);
  expect(units.map((unit) => unit.replace('Article: CF-1; Note: ', '')).join(' ')).toBe(note);
});

test('narrow rows stay in one table with one header', () => {
  const { text, form } = renderTable(
    ['Country', 'Fee'],
    [
      ['Norway', '9'],
      ['Japan', '41'],
    ],
  );
  const blocks = [{ headings: [], kind: 'table' as const, text, ...form }];
  expect(chunkDocument({ title: null, url: null, blocks }).map(({ body }) => body)).toEqual([
    '| Country | Fee |\n| --- | --- |\n| Norway | 9 |\n| Japan | 41 |',
  ]);
});

test('a row of 16,000 columns takes time in proportion to its cells', async () => {
  const wide = Array.from({ length: 16_000 }, (_, index) => `value ${index}`);
  const measured = await processorMs(() =>
    unitsOf(
      wide.map((_, index) => `Column ${index}`),
      [wide],
    ),
  );
  expect(measured).toBeLessThan(4000);
});
