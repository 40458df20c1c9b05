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
  expect(await texts(csv, fileName)).toEqual(['Country: Norway; Price: £9\nCountry: Japan; Price: £41']);
});

test('quoted values may contain delimiters, quotes and line breaks', async () => {
  expect(await texts('Question,Answer\n"Is it ""free"", really?","Yes,\nalways."\n')).toEqual([
    'Question: Is it "free", really?; Answer: Yes, always.',
  ]);
});

test('commas inside values do not make the comma the delimiter', async () => {
  expect(await texts('Name;Note\nMini;small, light, red\nGrand;large, heavy, blue')).toEqual([
    'Name: Mini; Note: small, light, red\nName: Grand; Note: large, heavy, blue',
  ]);
});

test('rows with missing or extra values are kept', async () => {
  expect(await texts('A,B\none\n1,2,3')).toEqual(['A: one\nA: 1; B: 2; 3']);
});

test('without a header, values do not become labels', async () => {
  expect(await texts('a@b.example,12\nc@d.example,15')).toEqual(['a@b.example: 12\nc@d.example: 15']);
});

test('an unclosed quote is refused as damaged', async () => {
  await expect(loadAs({ fileName: 'a.csv' }, 'A,B\n"one,2\n3,4\n')).rejects.toMatchObject({
    code: 'corrupt_file',
  });
});

test('two columns of words have a header', async () => {
  expect(await texts('Country;Capital\nNorway;Oslo\nJapan;Tokyo')).toEqual([
    'Country: Norway; Capital: Oslo\nCountry: Japan; Capital: Tokyo',
  ]);
});

test('records are rows of a table with the labels of the header', async () => {
  const { blocks } = await loadAs({ fileName: 'a.csv' }, 'Article;Price\nScrew;0.20\nNut;0.10');
  expect(blocks[0]?.table).toEqual({
    labels: ['Article', 'Price'],
    rows: [
      ['Screw', '0.20'],
      ['Nut', '0.10'],
    ],
  });
});

test('lines above the header are not the header', async () => {
  const csv =
    'Price list 2026\nAs of;1 October\nArticle;Group;Price\nScrew SR-1;Iron;0.20\nNut N-7;Iron;0.10\n';
  const { blocks } = await loadAs({ fileName: 'a.csv' }, csv);
  expect(blocks.map(({ headings, text }) => ({ headings, text }))).toEqual([
    { headings: ['Price list 2026'], text: 'As of: 1 October' },
    {
      headings: ['Price list 2026'],
      text: 'Article: Screw SR-1; Group: Iron; Price: 0.20\nArticle: Nut N-7; Group: Iron; Price: 0.10',
    },
  ]);
});

test('several tables in one file keep their own headers and titles', async () => {
  const csv =
    'Fees\nCountry;Fee\nNorway;9\nJapan;41\n\nHours\nDay;Opens;Closes\nMonday;8:00;18:00\nSunday;10:00;12:00\n';
  const { blocks } = await loadAs({ fileName: 'a.csv' }, csv);
  expect(blocks.map(({ headings, text }) => [...headings, text])).toEqual([
    ['Fees', 'Country: Norway; Fee: 9\nCountry: Japan; Fee: 41'],
    ['Hours', 'Day: Monday; Opens: 8:00; Closes: 18:00\nDay: Sunday; Opens: 10:00; Closes: 12:00'],
  ]);
});

test('a remark below the table is not a row of it', async () => {
  expect(await texts('Article;Group;Price\nScrew;Iron;0.20\nNut;Iron;0.10\n* without tax;;\n')).toEqual([
    'Article: Screw; Group: Iron; Price: 0.20\nArticle: Nut; Group: Iron; Price: 0.10',
    '* without tax',
  ]);
});

test('a blank line after every record does not split the table', async () => {
  expect(await texts('Country;Fee\n\nNorway;9\n\nJapan;41\n\n')).toEqual([
    'Country: Norway; Fee: 9\nCountry: Japan; Fee: 41',
  ]);
});

test('more cells than a sheet may have are refused', async () => {
  await expect(loadAs({ fileName: 'a.csv' }, '1,2,3,4,5,6,7,8,9,0\n'.repeat(110_000))).rejects.toMatchObject({
    code: 'too_much_text',
  });
});
