import { expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const read = (text: string) => loadAs({ fileName: 'page.adoc' }, text);

test('title, headings and paragraphs are read, without author and settings', async () => {
  const { title, blocks } = await read(
    '= Fees\nAda Lovelace <ada@a.example>\n:toc:\n:shop: Juniper\n\n== Norway\n\n{shop} asks nine\neuros.\n\n=== Parcels\n\nTwelve.\n',
  );
  expect(title).toBe('Fees');
  expect(blocks.map(({ headings, text }) => [...headings, text])).toEqual([
    ['Norway', 'Juniper asks nine euros.'],
    ['Norway', 'Parcels', 'Twelve.'],
  ]);
});

test('marks and links are shown as their text', async () => {
  const { blocks } = await read(
    'Use *bold* and `code`, see https://a.example/x[the list], xref:fees.adoc[fees] and <<top,above>>.\n',
  );
  expect(blocks.map(({ text }) => text)).toEqual(['Use bold and code, see the list, fees and above.']);
});

test('lists keep their levels, and code its language', async () => {
  const { blocks } = await read(
    '* Pack it\n** the left one\n* Send\n\n[source,java]\n----\nint a; // <1>\n----\n\nTerm:: its meaning\n',
  );
  expect(blocks).toMatchObject([
    { kind: 'list', text: '- Pack it\n  - the left one\n- Send' },
    { kind: 'code', text: 'int a;', code: { language: 'java' } },
    { text: 'Term: its meaning' },
  ]);
});

test.each([
  ['rows of a line', '|===\n|Country |Fee\n\n|Norway |nine euros\n|Japan |four\n|===\n'],
  [
    'a cell in each line',
    '[cols="1,1",options="header"]\n|===\n|Country\n|Fee\n|Norway\n|nine euros\n|Japan\n|four\n|===\n',
  ],
])('a table of %s is read with its header', async (_, text) => {
  expect((await read(text)).blocks).toMatchObject([
    {
      table: {
        labels: ['Country', 'Fee'],
        rows: [
          ['Norway', 'nine euros'],
          ['Japan', 'four'],
        ],
      },
    },
  ]);
});

test.each([
  [
    'settings that double',
    `:a: aa\n${Array.from({ length: 60 }, (_, at) => `:a${at + 1}: {a${at}}{a${at}}\n`)
      .join('')
      .replace('{a0}', '{a}')}\n{a60}\n`,
  ],
  ['open marks', `${'*a _b `c '.repeat(20_000)}\n`],
  ['open blocks', '----\n'.repeat(20_001)],
])('%s take time in proportion to their size', async (_, text) => {
  expect(await processorMs(() => read(`Text.\n\n${text}`).catch(() => null))).toBeLessThan(15_000);
});
