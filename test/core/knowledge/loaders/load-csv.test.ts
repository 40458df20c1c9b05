import { expect, test } from 'vitest';
import { loadAs } from '../../../helpers/documents/load-as.ts';

const texts = async (csv: string, fileName = 'a.csv'): Promise<readonly string[]> =>
  (await loadAs({ fileName }, csv)).blocks.map(({ text }) => text);

test.each([
  [',', 'a.csv'],
  [';', 'a.csv'],
  ['\t', 'a.tsv'],
  ['|', 'a.csv'],
])('labels columns separated by %j', async (delimiter, fileName) => {
  const csv = [
    ['Country', 'Price'],
    ['Norway', '£9'],
    ['Japan', '£41'],
  ]
    .map((row) => row.join(delimiter))
    .join('\n');
  expect(await texts(csv, fileName)).toEqual(['Country: Norway\nPrice: £9', 'Country: Japan\nPrice: £41']);
});

test('quoted values may contain delimiters, quotes and line breaks', async () => {
  expect(await texts('Question,Answer\n"Is it ""free"", really?","Yes,\nalways."\n')).toEqual([
    'Question: Is it "free", really?\nAnswer: Yes,\nalways.',
  ]);
});

test('commas inside values do not make the comma the delimiter', async () => {
  expect(await texts('Name;Note\nMini;small, light, red\nGrand;large, heavy, blue')).toEqual([
    'Name: Mini\nNote: small, light, red',
    'Name: Grand\nNote: large, heavy, blue',
  ]);
});

test('rows with missing or extra values are kept', async () => {
  expect(await texts('A,B\none\n1,2,3')).toEqual(['A: one', 'A: 1\nB: 2\n3']);
});

test('without a header, values do not become labels', async () => {
  expect(await texts('a@b.example,12\nc@d.example,15')).toEqual(['a@b.example: 12', 'c@d.example: 15']);
});

test('an unclosed quote is refused as damaged', async () => {
  await expect(loadAs({ fileName: 'a.csv' }, 'A,B\n"one,2\n3,4\n')).rejects.toMatchObject({
    code: 'corrupt_file',
  });
});
