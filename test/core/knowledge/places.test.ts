import { describe, expect, test } from 'vitest';
import type { Place } from '../../../core/contract/answer.ts';
import { type Chunk, chunkDocument } from '../../../core/knowledge/chunk-document.ts';
import { documentFixture, loadAs } from '../../helpers/documents/load-as.ts';
import { makeXlsx } from '../../helpers/documents/make-workbook.ts';

const chunksOf = async (fileName: string, content: string | Uint8Array): Promise<readonly Chunk[]> =>
  chunkDocument(await loadAs({ fileName }, content));
const holder = (chunks: readonly Chunk[], text: string): Place | null | undefined =>
  chunks.find(({ body }) => body.includes(text))?.place;

test('a passage of a PDF has the page that it is printed on', async () => {
  const chunks = await chunksOf('a.pdf', documentFixture('running-lines.pdf'));
  const pages = chunks.map(({ place }) => (place?.kind === 'page' ? place.from : 0));
  expect(Math.min(...pages)).toBe(1);
  expect(Math.max(...pages)).toBe(3);
  expect(pages).toEqual(pages.toSorted((one, other) => one - other));
});

const article = (index: number): readonly string[] => [
  `Article ${index}`,
  `Shelf ${index % 7} of the long hall`,
  '9',
];

test('a passage of a sheet has the sheet and the rows that it shows', async () => {
  const rows = [['Article', 'Shelf', 'Fee'], ...Array.from({ length: 100 }, (_, index) => article(index))];
  const chunks = await chunksOf('a.xlsx', await makeXlsx([{ name: 'Fees', rows }]));
  expect(chunks.length).toBeGreaterThan(3);
  for (const { body, place } of chunks) {
    const numbers = [...body.matchAll(/Article (\d+) /g)].map(([, number]) => Number(number) + 2);
    expect(place).toEqual({ kind: 'rows', sheet: 'Fees', from: numbers[0], to: numbers.at(-1) });
  }
});

describe('a passage of a CSV file has the lines that it shows', () => {
  test('below titles and blank lines', async () => {
    const csv = 'Fees\n\nCountry;Fee\nNorway;9\nJapan;41\n';
    expect(holder(await chunksOf('a.csv', csv), 'Norway')).toEqual({
      kind: 'rows',
      sheet: null,
      from: 4,
      to: 5,
    });
  });

  test('of a row that is cut', async () => {
    const wide = Array.from({ length: 60 }, (_, index) => `Weight up to ${index} kilograms`);
    const csv = [
      ['Country', ...wide],
      ['Norway', ...wide],
      ['Japan', ...wide],
    ].map((row) => row.join(';'));
    for (const { body, place } of await chunksOf('a.csv', csv.join('\n'))) {
      const isJapan = body.includes('| Japan |');
      if (isJapan && body.includes('| Norway |')) continue;
      expect(place).toMatchObject(isJapan ? { from: 3, to: 3 } : { from: 2, to: 2 });
    }
  });
});

test('a text without pages has no place', async () => {
  expect((await chunksOf('a.md', '# Fees\n\nNine euros.')).map(({ place }) => place)).toEqual([null]);
});
