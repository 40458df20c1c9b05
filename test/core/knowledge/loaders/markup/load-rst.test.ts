import { expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const read = (text: string) => loadAs({ fileName: 'page.rst' }, text);

test('headings are levels in the order in which their lines appear', async () => {
  const { title, blocks } = await read(
    '=====\nFees\n=====\n\nNorway\n------\n\nNine euros.\n\nParcels\n~~~~~~~\n\nTwelve.\n\nJapan\n-----\n\nFour.\n',
  );
  expect(title).toBe('Fees');
  expect(blocks.map(({ headings, text }) => [...headings, text])).toEqual([
    ['Norway', 'Nine euros.'],
    ['Norway', 'Parcels', 'Twelve.'],
    ['Japan', 'Four.'],
  ]);
});

test('marks, roles and links are shown as their text', async () => {
  const { blocks } = await read(
    'Call :func:`~parcel.send` with ``weight``, *before* **noon**; see `the list <https://a.example/x>`_ [1]_.\n',
  );
  expect(blocks.map(({ text }) => text)).toEqual(['Call send with weight, before noon; see the list.']);
});

test('lists keep their levels, and code its language', async () => {
  const { blocks } = await read(
    '- Pack it\n  with care\n\n  - the left one\n- Send\n\n.. code-block:: python\n   :linenos:\n\n   def f():\n       return 1\n\nRun::\n\n    make all\n',
  );
  expect(blocks).toMatchObject([
    { kind: 'list', text: '- Pack it with care\n  - the left one\n- Send' },
    { kind: 'code', text: 'def f():\n    return 1'.trim(), code: { language: 'python' } },
    { text: 'Run:' },
    { kind: 'code', text: 'make all' },
  ]);
});

test.each([
  [
    'grid',
    '+---------+------+\n| Country | Fee  |\n+=========+======+\n| Norway  | nine |\n|         | euros|\n+---------+------+\n| Japan   | four |\n+---------+------+\n',
  ],
  [
    'simple',
    '=======  ==========\nCountry  Fee\n=======  ==========\nNorway   nine euros\nJapan    four\n=======  ==========\n',
  ],
  [
    'list',
    '.. list-table::\n   :header-rows: 1\n\n   * - Country\n     - Fee\n   * - Norway\n     - nine euros\n   * - Japan\n     - four\n',
  ],
  ['CSV', '.. csv-table::\n   :header: "Country", "Fee"\n\n   "Norway", "nine euros"\n   "Japan", "four"\n'],
])('a %s table is read with its header', async (_, text) => {
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

test('notes are read; comments, targets and lists of pages are not', async () => {
  const { blocks } = await read(
    '.. internal remark\n\n.. _fees:\n\n.. note:: Only in May.\n   Not in June.\n\n.. toctree::\n   :maxdepth: 2\n\n   other\n\n.. warning::\n\n   Keep dry.\n',
  );
  expect(blocks.map(({ text }) => text)).toEqual(['Only in May.', 'Not in June.', 'Keep dry.']);
});

test.each([
  [
    'directives in each other',
    Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}.. note::\n`).join(''),
  ],
  ['open marks', '`a '.repeat(60_000)],
  ['stars', '*a'.repeat(60_000)],
  ['table borders', `${'+--'.repeat(500)}+\n${'| a |\n'.repeat(3_000)}`],
])('%s take time in proportion to their size', async (_, text) => {
  expect(await processorMs(() => read(`Text.\n\n${text}\n`))).toBeLessThan(4000);
});
