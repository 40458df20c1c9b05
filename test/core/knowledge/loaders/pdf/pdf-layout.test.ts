import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../../core/knowledge/loaders/loader.ts';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { makePdf, type Printed, printTexts } from '../../../../helpers/documents/make-pdf.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const read = async (texts: readonly Printed[]): Promise<readonly Block[]> =>
  (await loadAs({ fileName: 'a.pdf' }, makePdf(printTexts(texts)))).blocks;

const LEFT = [
  'The left beam LB-1 carries 613 tons',
  'without any additional support in',
  'winter, and 580 tons in the summer',
  'months, when the steel is warm.',
];
const RIGHT = [
  'The right beam RB-1 carries 614 tons',
  'but needs a second pillar from June',
  'to September. The pillar stands on a',
  'base of concrete, which is dry.',
];

describe('columns of text that a file draws line by line', () => {
  const drawn = LEFT.flatMap((text, index): readonly Printed[] => [
    [60, 700 - index * 12, text],
    [330, 700 - index * 12, RIGHT[index] ?? ''],
  ]);

  test('are read one after the other', async () => {
    expect((await read(drawn)).map(({ text }) => text)).toEqual([LEFT.join(' '), RIGHT.join(' ')]);
  });

  test('end at a line over the whole width', async () => {
    const line =
      'This remark is as wide as the page, so that it belongs to neither of the two columns above it.';
    const blocks = await read([[60, 730, line], ...drawn, [60, 630, line]]);
    expect(blocks.map(({ text }) => text)).toEqual([line, LEFT.join(' '), RIGHT.join(' '), line]);
  });

  test('may have different lengths', async () => {
    const more: readonly Printed[] = [
      [60, 652, 'The beam is painted each spring by'],
      [60, 640, 'a company from the harbour.'],
    ];
    const blocks = await read([...drawn, ...more]);
    expect(blocks.map(({ text }) => text).join(' ')).toBe(
      [...LEFT, ...more.map(([, , text]) => text), ...RIGHT].join(' '),
    );
  });

  test('may be three', async () => {
    const columns = [60, 230, 400].map((x, column) =>
      Array.from(
        { length: 5 },
        (_, row): Printed => [x, 700 - row * 12, `column ${column} has a long line ${row}`],
      ),
    );
    const byLine = columns.flat().toSorted((one, other) => other[1] - one[1]);
    const blocks = await read(byLine);
    expect(blocks.map(({ text }) => text).join(' ')).toBe(
      columns
        .flat()
        .map(([, , text]) => text)
        .join(' '),
    );
  });
});

describe('tables', () => {
  const header: readonly Printed[] = [
    [60, 700, 'Article'],
    [160, 700, 'Note'],
    [400, 700, 'Price'],
  ];

  test('a cell of several lines stays in its row', async () => {
    const blocks = await read([
      ...header,
      [60, 680, 'Screw'],
      [160, 680, 'of stainless steel, which'],
      [400, 680, '0.20'],
      [160, 668, 'does not rust in the rain'],
      [60, 650, 'Nut'],
      [160, 650, 'of brass'],
      [400, 650, '0.10'],
    ]);
    expect(blocks).toMatchObject([
      {
        kind: 'table',
        table: {
          labels: ['Article', 'Note', 'Price'],
          rows: [
            ['Screw', 'of stainless steel, which does not rust in the rain', '0.20'],
            ['Nut', 'of brass', '0.10'],
          ],
        },
      },
    ]);
  });

  test('an empty cell does not move the values beside it', async () => {
    const blocks = await read([
      ...header,
      [60, 688, 'Screw'],
      [160, 688, 'steel'],
      [400, 688, '0.20'],
      [60, 676, 'Nut'],
      [400, 676, '0.10'],
      [60, 664, 'Bolt'],
      [160, 664, 'brass'],
      [400, 664, '0.30'],
    ]);
    expect(blocks[0]?.table?.rows).toEqual([
      ['Screw', 'steel', '0.20'],
      ['Nut', '', '0.10'],
      ['Bolt', 'brass', '0.30'],
    ]);
  });

  test('words and their explanations have no header', async () => {
    const blocks = await read([
      [60, 700, '-c'],
      [160, 700, 'Commands are read from the first'],
      [160, 688, 'argument that is no option.'],
      [60, 670, '-i'],
      [160, 670, 'The shell is interactive.'],
      [60, 652, '-l'],
      [160, 652, 'The shell is a login shell.'],
    ]);
    expect(blocks.map(({ text, table }) => ({ text, table }))).toEqual([
      {
        text: '-c: Commands are read from the first argument that is no option.\n-i: The shell is interactive.\n-l: The shell is a login shell.',
      },
    ]);
  });
});

test('tagged tables keep their cells, and what is marked as no content is left out', async () => {
  const cells = ['Country', 'Fee', 'New', 'Zealand', 'nine euros', 'Japan', 'four euros'];
  const places: readonly Printed[] = [
    [60, 700, ''],
    [200, 700, ''],
    [60, 680, ''],
    [60, 668, ''],
    [200, 680, ''],
    [60, 650, ''],
    [200, 650, ''],
  ];
  const content = cells.map((text, id) => {
    const [x, y] = places[id] ?? [0, 0];
    return `/TD <</MCID ${id}>> BDC\n${printTexts([[x, y, text]])}\nEMC`;
  });
  const artifact = `/Artifact BMC\n${printTexts([[60, 780, 'Internal use only']])}\nEMC`;
  const cell = (role: string, row: number, ...ids: readonly number[]): string =>
    `<</Type/StructElem/S/${role}/P ${row} 0 R/Pg 3 0 R/K[${ids.join(' ')}]>>`;
  const rowOf = (...numbers: readonly number[]): string =>
    `<</Type/StructElem/S/TR/P 7 0 R/K[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`;
  const pdf = makePdf([artifact, ...content].join('\n'), {
    catalog: '/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R',
    page: '/StructParents 0',
    objects: [
      '<</Type/StructTreeRoot/K 7 0 R/ParentTree 17 0 R>>',
      '<</Type/StructElem/S/Table/P 6 0 R/K[8 0 R 9 0 R 10 0 R]>>',
      rowOf(11, 12),
      rowOf(13, 14),
      rowOf(15, 16),
      cell('TH', 8, 0),
      cell('TH', 8, 1),
      cell('TD', 9, 2, 3),
      cell('TD', 9, 4),
      cell('TD', 10, 5),
      cell('TD', 10, 6),
      '<</Nums[0[11 0 R 12 0 R 13 0 R 13 0 R 14 0 R 15 0 R 16 0 R]]>>',
    ],
  });
  const { blocks } = await loadAs({ fileName: 'a.pdf' }, pdf);
  expect(blocks.map(({ text }) => text)).toEqual([
    'Country: New Zealand; Fee: nine euros\nCountry: Japan; Fee: four euros',
  ]);
});

test('values of form fields stand behind their labels', async () => {
  const field = (name: string, rect: string, rest: string): string =>
    `<</Type/Annot/Subtype/Widget/T(${name})/Rect[${rect}]/P 3 0 R${rest}>>`;
  const pdf = makePdf(
    printTexts([
      [60, 700, 'Order form of the workshop'],
      [60, 660, 'Name:'],
      [60, 630, 'Delivery on Saturdays'],
      [60, 600, 'Your street'],
    ]),
    {
      catalog: '/AcroForm<</Fields[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]>>',
      page: '/Annots[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]',
      objects: [
        field('name', '100 655 250 670', '/FT/Tx/V(Ada Lovelace)'),
        field('saturday', '45 628 57 640', '/FT/Btn/V/Yes/AS/Yes/AP<</N<</Yes null/Off null>>>>'),
        field('street', '60 580 250 595', '/FT/Tx/V(Harbour Street 4)'),
        field('order_number', '450 100 550 115', '/FT/Tx/TU(Order number)/V(OR-1234)'),
        field('empty', '100 500 250 515', '/FT/Tx'),
      ],
    },
  );
  const text = (await loadAs({ fileName: 'a.pdf' }, pdf)).blocks.map((block) => block.text).join('\n');
  expect(text).toContain('Name: Ada Lovelace');
  expect(text).toContain('☒ Delivery on Saturdays');
  expect(text).toContain('Your street: Harbour Street 4');
  expect(text).toContain('Order number: OR-1234');
  expect(text).not.toContain('empty');
});

test('a page full of gaps takes time in proportion to its size', async () => {
  const texts = Array.from({ length: 600 }, (_, row) =>
    Array.from({ length: 20 }, (_, column): Printed => [10 + column * 28, 790 - row * 1.3, 'ab']),
  );
  const pdf = makePdf(printTexts(texts.flat()));
  expect(await processorMs(() => loadAs({ fileName: 'a.pdf' }, pdf))).toBeLessThan(6000);
});
