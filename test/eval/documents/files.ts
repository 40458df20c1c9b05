import { makeArchive, makeDocx } from '../../helpers/documents/make-archive.ts';
import { makePdf, type Printed, printTexts } from '../../helpers/documents/make-pdf.ts';
import { makePptx, shape } from '../../helpers/documents/make-slides.ts';
import { makeOdt } from '../../helpers/documents/make-texts.ts';
import { makeXlsx } from '../../helpers/documents/make-workbook.ts';

/** The files that the questions are about, by name. */
export async function makeFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  return new Map<string, Uint8Array>([
    ['harbour.pdf', makePdf(printTexts(harbour()))],
    ['cranes.pdf', makePdf(printTexts(cranes))],
    ['member.pdf', member()],
    ['pallets.xlsx', await makeXlsx([{ name: 'Pallets', rows: pallets() }, contacts])],
    ['coffee.csv', text(coffee)],
    ['schrauben.csv', text(schrauben())],
    ['lending.odt', await makeOdt(lending)],
    ['tariffs.ods', await tariffs()],
    ['yield.ipynb', text(JSON.stringify(notebook))],
    ['crates.yaml', text(crates)],
    ['safety.docx', await makeDocx(safety)],
    ['strategy.pptx', await makePptx(strategy)],
    ['warranty.eml', text(warranty)],
    ['relay.rst', text(relay)],
    ['mixer.adoc', text(mixer)],
    ['limits.json', text(JSON.stringify(limits, null, 2))],
  ]);
}

const text = (content: string): Uint8Array => Buffer.from(content);

/** Two columns, drawn line by line across both. */
function harbour(): readonly Printed[] {
  const left = [
    'Berth fees',
    'Boats of up to 9 metres pay',
    '31 pounds for a night. Boats of',
    'up to 14 metres pay 47 pounds.',
    'Children under ten stay free.',
    'The office takes cards only.',
    'Fees are due on arrival, also',
    'for a stay of a few hours.',
  ];
  const right = [
    'Fuel and water',
    'Diesel is sold at pier C from 7',
    'to 15 on every day of the week.',
    'Petrol is sold on request, in',
    'cans that the harbour lends.',
    'Water is free at every berth.',
    'Hoses are hung up after use so',
    'that nobody falls over them.',
  ];
  const title: Printed = [60, 740, 'Harbour guide of Selby Quay'];
  const lines = left.flatMap((line, at): Printed[] => [
    [60, 700 - at * 14, line],
    [330, 700 - at * 14, right[at] ?? ''],
  ]);
  return [title, ...lines];
}

/** A table whose cells have two lines. */
const cranes: readonly Printed[] = [
  [60, 740, 'Inspection of cranes'],
  ...row(700, 'Crane', 'Interval', 'Inspected by'),
  ...row(676, 'Gantry crane', 'every 26', 'an engineer of'),
  ...row(664, 'in hall 2', 'weeks', 'the insurer'),
  ...row(640, 'Mobile crane', 'every 13', 'the foreman of'),
  ...row(628, 'on the yard', 'weeks', 'the day shift'),
  ...row(604, 'Wall crane', 'every 52', 'a fitter of the'),
  ...row(592, 'in the store', 'weeks', 'maker'),
];

function row(y: number, ...cells: readonly string[]): readonly Printed[] {
  return cells.map((cell, at) => [60 + at * 170, y, cell]);
}

function member(): Uint8Array {
  const field = (name: string, rect: string, value: string) =>
    `<</Type/Annot/Subtype/Widget/P 3 0 R/T(${name})/Rect[${rect}]/FT/Tx/V(${value})>>`;
  return makePdf(
    printTexts([
      [60, 740, 'Membership of the rowing club'],
      [60, 700, 'Name'],
      [60, 670, 'Member number'],
      [60, 640, 'Locker'],
    ]),
    {
      catalog: '/AcroForm<</Fields[6 0 R 7 0 R 8 0 R]>>',
      page: '/Annots[6 0 R 7 0 R 8 0 R]',
      objects: [
        field('name', '160 695 350 710', 'Ida Blom'),
        field('member_number', '160 665 350 680', 'MB-7731'),
        field('locker', '160 635 350 650', 'L 19'),
      ],
    },
  );
}

const depots = ['Hull', 'Leeds', 'Derby', 'Truro', 'Perth', 'Cardiff', 'Belfast', 'Norwich'];

/** 54 columns: a row is cut into several passages. */
function pallets() {
  const weeks = Array.from({ length: 52 }, (_, at) => `Week ${at + 1}`);
  return [
    ['Depot', 'Region', ...weeks],
    ...depots.map((depot, place) => [
      depot,
      `Region ${place + 1}`,
      ...weeks.map((_, week) => (place + 5) * 1_000 + week + 1),
    ]),
  ];
}

const contacts = {
  name: 'Contacts',
  rows: [
    ['Topic', 'Person', 'Extension'],
    ['Claims', 'Rosa Lindqvist', '611'],
    ['Customs', 'Emeka Obi', '612'],
    ['Night shift', 'Tove Dahl', '640'],
  ],
};

const coffee = `Price list of Alder Roasters
Valid from 1 March, all prices in pounds for a kilogram

Coffee,Origin,Price
Casa Verde,Peru,15.20
Monte Alto,Colombia,17.80
Rio Claro,Brazil,13.90
Old Harbour,Blend,12.40
`;

function schrauben(): string {
  const rows = Array.from({ length: 120 }, (_, at) => {
    const price = at + 1 === 77 ? '4,35' : `${1 + (at % 9)},${String((at * 37) % 100).padStart(2, '0')}`;
    return `Schraube SR-${at + 1};${3 + (at % 8)} mm;${price}`;
  });
  return `Artikel;Durchmesser;Preis in Euro\n${rows.join('\n')}\n`;
}

const lending = `<text:h text:outline-level="1">Lending desk</text:h>
<text:p>The lending desk of the observatory is open on Wednesdays.</text:p>
<text:h text:outline-level="2">Telescopes</text:h>
<text:p>A telescope may be borrowed for nine days. The tripod belongs to it.</text:p>
<text:h text:outline-level="2">Cameras</text:h>
<text:p>A camera may be borrowed for a weekend.</text:p>`;

function tariffs(): Promise<Uint8Array> {
  const cell = (value: string) =>
    `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
  const rows = [
    ['Zone', 'Day tariff', 'Night tariff'],
    ...[1, 2, 3, 4, 5, 6].map((zone) => [
      `Zone ${zone}`,
      (0.31 + zone / 100).toFixed(2),
      (0.24 + zone / 100).toFixed(2),
    ]),
  ];
  const body = rows.map((cells) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`).join('');
  return makeArchive({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest/>',
    'content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="Power">${body}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
}

const notebook = {
  ...{ nbformat: 4, nbformat_minor: 5, metadata: { kernelspec: { language: 'python', name: 'python3' } } },
  cells: [
    {
      cell_type: 'markdown',
      metadata: {},
      source: ['# Yield of the pilot plant\n', '\n', 'Six runs in May.'],
    },
    { cell_type: 'code', metadata: {}, execution_count: 1, outputs: [], source: ['runs = load("may.csv")'] },
    {
      ...{ cell_type: 'markdown', metadata: {} },
      source: ['## Result\n', '\n', 'The highest yield had reactor R-12, with 91.4 percent.'],
    },
  ],
};

const crates = `openapi: 3.1.0
info:
  title: Crates
  version: '4.2'
paths:
  /crates:
    get:
      operationId: listCrates
      summary: List crates
      description: Returns up to 250 crates in a page.
      responses:
        '200':
          description: A page of crates.
  /crates/{crate_id}:
    delete:
      operationId: deleteCrate
      summary: Delete a crate
      description: Deleting a crate needs the scope crates:destroy and cannot be undone.
      parameters:
        - name: crate_id
          in: path
          required: true
          schema:
            type: string
      responses:
        '204':
          description: The crate is gone.
`;

const wordParagraph = (content: string, style = '') =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${content}</w:t></w:r></w:p>`;
const wordTable = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows
    .map(
      (cells) => `<w:tr>${cells.map((content) => `<w:tc>${wordParagraph(content)}</w:tc>`).join('')}</w:tr>`,
    )
    .join('')}</w:tbl>`;

const safety = [
  wordParagraph('Fire safety of the workshop'),
  wordParagraph('Every room has an extinguisher beside its door.'),
  wordTable([
    ['Room', 'Extinguisher', 'Checked in'],
    ['Kitchen', 'wet chemical', 'January'],
    ['Paint store', 'carbon dioxide', 'April'],
    ['Saw hall', 'water', 'April'],
  ]),
].join('');

const strategy = [
  { shapes: shape('title', ['Branches']) + shape('body', ['Four branches are open', 'Two more follow']) },
  {
    shapes: shape('title', ['Porto']) + shape('body', ['Opened in June', 'Thirty people']),
    notes: 'The Porto branch breaks even in autumn 2028 at the latest.',
  },
];

/** As some programs export mails. */
const warranty = `From: Desk <desk@kestrel.example>
To: Shops <shops@kestrel.example>
Subject: Warranty of the Kestrel drill
Date: Tue, 3 Mar 2026 09:12:00 +0000
Content-Type: text/html; charset=utf-8

<html><body><p>Dear shops,</p><p>the warranty of the Kestrel drill is 42 months from the day of sale.
Batteries are covered for a year.</p></body></html>
`;

const relay = `===========
Relay board
===========

Wiring
======

The relay board accepts 24 volts, direct current.

.. warning::

   Never connect it to the mains.

Outputs
=======

:Outputs: 8
:Load: 2 amperes each
`;

const mixer = `= Dough mixer

== Care

Grease the mixer every 80 hours.

.Parts that wear out
[cols="1,1"]
|===
|Part |Life

|Hook
|4 years

|Belt
|2 years
|===
`;

const limits = {
  services: {
    archive: { largest_upload_mb: 640, retention_days: 90 },
    mail: { largest_attachment_mb: 20, retention_days: 30 },
  },
};
