import { expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { makeArchive } from '../../../../helpers/documents/make-archive.ts';

const pack = async (kind: 'spreadsheet' | 'presentation', body: string, styles = ''): Promise<Uint8Array> =>
  makeArchive({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest/>',
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  });
const cell = (text: string, attributes = 'office:value-type="string"'): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: readonly string[], attributes = ''): string =>
  `<table:table-row ${attributes}>${cells.join('')}</table:table-row>`;

test('a spreadsheet is read as tables with their header, sheet and rows', async () => {
  const body = `<table:table table:name="Fees">${row([cell('Country'), cell('Fee'), cell('Days')])}
    ${row([cell('secret'), cell('1'), cell('1')], 'table:visibility="collapse"')}
    ${row([cell('Norway'), cell('9', 'office:value-type="float" table:number-columns-repeated="2"')])}
    <table:table-row table:number-rows-repeated="1048500"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
  const { blocks } = await loadAs({ fileName: 'fees.ods' }, await pack('spreadsheet', body));
  expect(blocks).toMatchObject([
    {
      headings: ['Fees'],
      text: 'Country: Norway; Fee: 9; Days: 9',
      rowNumbers: [3],
      place: { kind: 'rows', sheet: 'Fees' },
    },
  ]);
});

test('a cell that covers several rows counts for each of them', async () => {
  const covered = '<table:covered-table-cell/>';
  const body = `<table:table table:name="Fees">${row([cell('Country'), cell('Kind'), cell('Fee')])}
    ${row([cell('Norway', 'office:value-type="string" table:number-rows-spanned="2"'), cell('Parcel'), cell('9')])}
    ${row([covered, cell('Letter'), cell('1')])}</table:table>`;
  const { blocks } = await loadAs({ fileName: 'fees.ods' }, await pack('spreadsheet', body));
  expect(blocks[0]?.text).toBe(
    'Country: Norway; Kind: Parcel; Fee: 9\nCountry: Norway; Kind: Letter; Fee: 1',
  );
});

test('filled cells that repeat without end are refused', async () => {
  const full = row(
    [cell('x', 'office:value-type="string" table:number-columns-repeated="16384"')],
    'table:number-rows-repeated="1000"',
  );
  const body = `<table:table table:name="Fees">${full.repeat(3)}</table:table>`;
  await expect(loadAs({ fileName: 'fees.ods' }, await pack('spreadsheet', body))).rejects.toMatchObject({
    code: 'too_much_text',
  });
});

test('a presentation is read slide by slide, under its titles, with notes last', async () => {
  const frame = (text: string, attributes = ''): string =>
    `<draw:frame ${attributes}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const notes = `<presentation:notes>${frame('Mention the holiday.', 'presentation:class="notes"')}</presentation:notes>`;
  const slides = `<draw:page>${notes}${frame('Ten days.')}${frame('Refunds', 'presentation:class="title"')}${frame('7', 'presentation:class="page-number"')}</draw:page>
    <draw:page draw:style-name="dp2">${frame('Secret')}</draw:page><draw:page>${frame('Call us.')}</draw:page>`;
  const styles =
    '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
  const { blocks } = await loadAs({ fileName: 'talk.odp' }, await pack('presentation', slides, styles));
  expect(blocks.map(({ headings, text, place }) => [...headings, text, place?.from])).toEqual([
    ['Refunds', 'Ten days.', 1],
    ['Refunds', 'Mention the holiday.', 1],
    ['Call us.', 3],
  ]);
});
