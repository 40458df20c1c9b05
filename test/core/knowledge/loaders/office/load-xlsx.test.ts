import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { type CellValue, makeXlsx } from '../../../../helpers/documents/make-workbook.ts';

const LIMITS = { maxUnpackedBytes: 2 ** 20 };
const PRICES: readonly (readonly CellValue[])[] = [
  ['Country', 'Delivery', 'Fee'],
  ['Norway', '3 days', 9],
  ['Japan', '9 days', 41.5],
];
const read = async (bytes: Promise<Uint8Array>) => loadAs({ fileName: 'prices.xlsx' }, await bytes);

test('a table is read with its header row, under the name of its sheet', async () => {
  const { blocks } = await read(makeXlsx([{ name: 'Delivery', rows: PRICES }]));
  expect(blocks).toEqual([
    {
      headings: ['Delivery'],
      kind: 'table',
      text: 'Country: Norway; Delivery: 3 days; Fee: 9\nCountry: Japan; Delivery: 9 days; Fee: 41.5',
      place: { kind: 'rows', sheet: 'Delivery', from: 1, to: 3 },
      rowNumbers: [2, 3],
      table: {
        labels: ['Country', 'Delivery', 'Fee'],
        rows: [
          ['Norway', '3 days', '9'],
          ['Japan', '9 days', '41.5'],
        ],
      },
    },
  ]);
});

test('the name that a program gave to a sheet is no heading', async () => {
  const { title, blocks } = await read(makeXlsx([{ name: 'Tabelle1', rows: PRICES }]));
  expect({ title, headings: blocks[0]?.headings }).toEqual({ title: null, headings: [] });
});

test('dates, percentages and amounts are read as the sheet shows them', async () => {
  const formats = ['14', '10', '164', '165', '166', '0'];
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="&quot;£&quot;#,##0.00"/><numFmt numFmtId="165" formatCode="d mmmm yyyy"/>
    <numFmt numFmtId="166" formatCode="h:mm"/></numFmts><cellXfs>${formats.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
  const rows: readonly (readonly CellValue[])[] = [
    ['Day', 'Share', 'Price', 'Start', 'Opens', 'Number'],
    [
      [45356, 0],
      [0.125, 1],
      [1234.5, 2],
      [45356, 3],
      [0.375, 4],
      [4006381333931, 5],
    ],
  ];
  const { blocks } = await read(makeXlsx([{ rows }], { styles }));
  expect(blocks[0]?.text).toBe(
    'Day: 2024-03-05; Share: 12.50%; Price: £1,234.50; Start: 5 March 2024; Opens: 9:00; Number: 4006381333931',
  );
});

test('dates that count from 1904 are read', async () => {
  const parts = {
    styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
    properties: '<workbookPr date1904="1"/>',
  };
  const { blocks } = await read(makeXlsx([{ rows: [[[43894, 0]], [[43895, 0]]] }], parts));
  expect(blocks[0]?.text).toBe('2024-03-05\n2024-03-06');
});

test('hidden sheets, rows and columns are left out without splitting the table', async () => {
  const rows: readonly (readonly CellValue[])[] = [
    ['Country', 'Cost', 'Delivery', 'Fee'],
    ['Norway', 'internal', '3 days', 9],
    ['Nowhere', 'internal', 'never', 1],
    ['Japan', 'internal', '9 days', 41],
  ];
  const columns = '<cols><col min="2" max="2" hidden="1"/></cols>';
  const { blocks } = await read(
    makeXlsx([
      { rows, columns, hiddenRows: [3] },
      { name: 'Secret', state: 'hidden', rows: PRICES },
      { name: 'Buried', state: 'veryHidden', rows: PRICES },
    ]),
  );
  expect(blocks.map(({ text }) => text)).toEqual([
    'Country: Norway; Delivery: 3 days; Fee: 9\nCountry: Japan; Delivery: 9 days; Fee: 41',
  ]);
});

test('rows keep the numbers that the program shows beside hidden ones', async () => {
  const { blocks } = await read(makeXlsx([{ name: 'Delivery', rows: PRICES, hiddenRows: [2] }]));
  expect(blocks.map(({ rowNumbers }) => rowNumbers)).toEqual([[3]]);
});

test('merged header cells label each of their columns', async () => {
  const rows: readonly (readonly CellValue[])[] = [
    ['Country', 'Parcel', null, 'Letter', null],
    [null, 'Days', 'Fee', 'Days', 'Fee'],
    ['Norway', 3, 9, 2, 1],
  ];
  const { blocks } = await read(makeXlsx([{ rows, merged: ['A1:A2', 'B1:C1', 'D1:E1'] }]));
  expect(blocks[0]?.text).toBe(
    'Country: Norway; Parcel Days: 3; Parcel Fee: 9; Letter Days: 2; Letter Fee: 1',
  );
});

test('a cell that covers several rows counts for each of them', async () => {
  const rows: readonly (readonly CellValue[])[] = [
    ['Region', 'Country', 'Fee'],
    ['Europe', 'Norway', 9],
    [null, 'Portugal', 14],
  ];
  const { blocks } = await read(makeXlsx([{ rows, merged: ['A2:A3'] }]));
  expect(blocks[0]?.text).toBe(
    'Region: Europe; Country: Norway; Fee: 9\nRegion: Europe; Country: Portugal; Fee: 14',
  );
});

test('each table of a sheet is a block of its own, with the line above it as heading', async () => {
  const rows: readonly (readonly CellValue[])[] = [
    ['Delivery abroad'],
    ['Country', 'Delivery', 'Fee', null, null, 'Shop', 'Opens', 'Closes'],
    ['Norway', '3 days', 9, null, null, 'Oslo', '8:00', '18:00'],
    ['Japan', '9 days', 41, null, null, null, null, null],
    [],
    ['Contact'],
    [],
    ['Phone', '555 0100'],
    ['Mail', 'help@acme.example'],
  ];
  const { blocks } = await read(makeXlsx([{ rows }]));
  expect(blocks.map(({ headings, text }) => ({ headings, text }))).toEqual([
    {
      headings: ['Delivery abroad'],
      text: 'Country: Norway; Delivery: 3 days; Fee: 9\nCountry: Japan; Delivery: 9 days; Fee: 41',
    },
    { headings: ['Delivery abroad'], text: 'Shop: Oslo; Opens: 8:00; Closes: 18:00' },
    { headings: ['Contact'], text: 'Phone: 555 0100\nMail: help@acme.example' },
  ]);
});

test('rows below an empty row keep the labels of their table, if they have its columns', async () => {
  const others = [[], ['Chile', '12 days', 50], [], ['Phone', 'Oslo', '555 0100']];
  const { blocks } = await read(makeXlsx([{ rows: [...PRICES, ...others] }]));
  expect(blocks.slice(1).map(({ text }) => text)).toEqual([
    'Country: Chile; Delivery: 12 days; Fee: 50',
    'Phone | Oslo | 555 0100',
  ]);
});

test('a table below a title of its own does not get the labels of the table above', async () => {
  const rows: readonly (readonly CellValue[])[] = [
    ...PRICES,
    [],
    ['Opening hours'],
    ['Monday', '8:00'],
    ['Sunday', 'closed'],
  ];
  const { blocks } = await read(makeXlsx([{ rows, merged: ['A5:C5'] }]));
  expect(blocks[1]).toMatchObject({ headings: ['Opening hours'], text: 'Monday: 8:00\nSunday: closed' });
});

test('rich text is joined, without the pronunciation of names', async () => {
  const sharedStrings =
    '<sst><si><r><t>Free </t></r><r><t>delivery_x000D_</t></r><rPh><t>reading</t></rPh></si></sst>';
  const { blocks } = await read(
    makeXlsx(
      [{ data: '<row><c t="s"><v>0</v></c></row><row><c t="inlineStr"><is><t>x</t></is></c></row>' }],
      { sharedStrings },
    ),
  );
  expect(blocks[0]?.text).toBe('Free delivery\nx');
});

describe('damaged and hostile files', () => {
  test.each([
    ['a part that is not XML', { 'xl/worksheets/sheet0.xml': '<worksheet><sheetData><row>' }],
    ['declared entities', { 'xl/sharedStrings.xml': entityBomb('sst') }],
    ['a missing workbook', { '_rels/.rels': '<Relationships/>' }],
  ])('%s is refused as damaged', async (_, others) => {
    await expect(read(makeXlsx([{ rows: PRICES }], { others }))).rejects.toMatchObject({
      code: 'corrupt_file',
      what: 'This Excel workbook',
    });
  });

  test('1,000,000 empty rows cost no more than their bytes', async () => {
    const empty = Array.from(
      { length: 1_000_000 },
      (_, index) => `<row r="${index + 3}"><c s="1"/></row>`,
    ).join('');
    const data = `<row r="1"><c t="str"><v>Opening hours</v></c></row><row r="2"><c t="str"><v>8 to 18.</v></c></row>${empty}`;
    const { blocks } = await read(makeXlsx([{ data }]));
    expect(blocks).toMatchObject([{ text: 'Opening hours\n8 to 18.' }]);
  }, 60_000);

  test('a text that many cells share counts for each of them', async () => {
    const sharedStrings = `<sst><si><t>${'x'.repeat(100_000)}</t></si></sst>`;
    const data = '<row><c t="s"><v>0</v></c></row>'.repeat(100);
    await expect(read(makeXlsx([{ data }], { sharedStrings }))).rejects.toMatchObject({
      code: 'too_much_text',
    });
  });

  test('cells far apart do not fill the space between them', async () => {
    const data = `<row r="1"><c r="A1" t="str"><v>first</v></c></row><row r="1048576"><c r="XFD1048576" t="str"><v>last</v></c></row>`;
    const { blocks } = await read(makeXlsx([{ data, merged: ['A1:XFD1048576'] }]));
    expect(blocks.map(({ text }) => text)).toEqual(['first', 'last']);
  });

  test('a diagonal of cells is refused instead of filled', async () => {
    const data = Array.from({ length: 4000 }, () => '').map(
      (_, row) => `<row r="${row + 1}"><c r="${column(row)}${row + 1}"><v>1</v></c></row>`,
    );
    await expect(read(makeXlsx([{ data: data.join('') }]))).rejects.toMatchObject({ code: 'too_much_text' });
  });

  test('a sheet that unpacks to more than allowed is refused before it is unpacked', async () => {
    const bytes = await makeXlsx([{ data: '<row/>'.repeat(400_000) }]);
    await expect(loadAs({ fileName: 'a.xlsx' }, bytes, LIMITS)).rejects.toMatchObject({
      code: 'expands_too_far',
    });
  });

  test('more than 20,000 parts are refused', async () => {
    const others = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`xl/${index}`, '']));
    await expect(read(makeXlsx([{ rows: PRICES }], { others }))).rejects.toMatchObject({
      code: 'expands_too_far',
    });
  }, 60_000);

  test('elements nested deeper than 600 are refused', async () => {
    const data = `${'<row>'.repeat(5000)}${'</row>'.repeat(5000)}`;
    await expect(read(makeXlsx([{ data }]))).rejects.toMatchObject({ code: 'nested_too_deeply' });
  });

  test('a workbook named as text is read as a workbook', async () => {
    const { blocks } = await loadAs(
      { fileName: 'a.txt', contentType: 'text/plain' },
      await makeXlsx([{ rows: PRICES }]),
    );
    expect(blocks[0]?.kind).toBe('table');
  });
});

function column(position: number): string {
  const rest = position % 26;
  const letter = String.fromCharCode(65 + rest);
  return position < 26 ? letter : column(Math.floor(position / 26) - 1) + letter;
}

function entityBomb(root: string): string {
  return `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><${root}><si><t>&b;</t></si></${root}>`;
}
