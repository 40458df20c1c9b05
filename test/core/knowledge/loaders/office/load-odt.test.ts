import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { makeOdt } from '../../../../helpers/documents/make-texts.ts';

const read = async (bytes: Promise<Uint8Array>) => loadAs({ fileName: 'a.odt' }, await bytes);
const p = (text: string): string => `<text:p>${text}</text:p>`;
const item = (content: string): string => `<text:list-item>${content}</text:list-item>`;
const cell = (text: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;

test('title, headings, paragraphs and notes are read', async () => {
  const styles = '<style:style style:name="P1" style:parent-style-name="Title"/>';
  const body = `<text:p text:style-name="P1">Returns handbook</text:p><text:h text:outline-level="1">Sending</text:h>
    <text:h text:outline-level="2">How to pack it</text:h><text:p>Use<text:s text:c="1"/>the box<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A large one.</text:p></text:note-body></text:note>.<text:line-break/>Or  call.</text:p>`;
  expect(await read(makeOdt(body, styles))).toMatchObject({
    title: 'Returns handbook',
    blocks: [
      { headings: ['Sending', 'How to pack it'], kind: 'paragraph', text: 'Use the box.\nOr call.' },
      { text: 'A large one.' },
    ],
  });
});

test('lists keep their levels and numbers', async () => {
  const styles =
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>';
  const inner = `<text:list>${item(p('the left one'))}</text:list>`;
  const body = `<text:list text:style-name="L1">${item(p('Take off the pedals') + inner)}${item(p('Pack'))}</text:list>`;
  expect((await read(makeOdt(body, styles))).blocks).toMatchObject([
    { kind: 'list', text: '1. Take off the pedals\n   - the left one\n2. Pack' },
  ]);
});

test('tables keep their header row, covered and repeated cells', async () => {
  const body = `<table:table><table:table-header-rows><table:table-row>${cell('Country')}${cell('Kind')}${cell('Fee')}</table:table-row></table:table-header-rows>
    <table:table-row>${cell('Norway', 'table:number-rows-spanned="2"')}${cell('Parcel')}${cell('£9')}</table:table-row>
    <table:table-row><table:covered-table-cell/>${cell('Same', 'table:number-columns-repeated="2"')}</table:table-row>
    <table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`;
  expect((await read(makeOdt(body))).blocks).toMatchObject([
    {
      kind: 'table',
      text: 'Country: Norway; Kind: Parcel; Fee: £9\nCountry: Norway; Kind: Same; Fee: Same',
      table: { labels: ['Country', 'Kind', 'Fee'] },
    },
  ]);
});

test('deleted and hidden text, comments and tables of contents are left out; frames are read', async () => {
  const styles = '<style:style style:name="T9"><style:text-properties text:display="none"/></style:style>';
  const body = `<text:tracked-changes>${p('deleted')}</text:tracked-changes><text:table-of-content>${p('contents')}</text:table-of-content>
    ${p('Shown<text:span text:style-name="T9">hidden</text:span><office:annotation><text:p>comment</text:p></office:annotation>')}
    ${p(`<draw:frame><draw:text-box>${p('In a frame')}</draw:text-box></draw:frame>`)}<text:section text:display="none">${p('closed')}</text:section>`;
  expect((await read(makeOdt(body, styles))).blocks.map(({ text }) => text)).toEqual(['Shown', 'In a frame']);
});

describe('damaged and hostile files', () => {
  test('a protected text is refused as encrypted', async () => {
    const manifest = '<m:manifest><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>';
    await expect(
      read(makeOdt('', '', { 'META-INF/manifest.xml': manifest, 'content.xml': 'noise' })),
    ).rejects.toMatchObject({
      code: 'encrypted_file',
    });
  });

  test('declared entities are refused', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><x>&b;</x>';
    await expect(read(makeOdt('', '', { 'content.xml': bomb }))).rejects.toMatchObject({
      code: 'corrupt_file',
      what: 'This OpenDocument text',
    });
  });

  test('styles that inherit in a circle end', async () => {
    const styles =
      '<style:style style:name="A" style:parent-style-name="B"/><style:style style:name="B" style:parent-style-name="A"/>';
    const { blocks } = await read(makeOdt('<text:p text:style-name="A">Text</text:p>', styles));
    expect(blocks).toMatchObject([{ text: 'Text' }]);
  });

  test('repeated rows and spaces are bounded', async () => {
    const row = `<table:table-row table:number-rows-repeated="1000000">${cell('x', 'table:number-columns-repeated="1000000"')}</table:table-row>`;
    const { blocks } = await read(
      makeOdt(`${p('a<text:s text:c="1000000000"/>b')}<table:table>${row}</table:table>`),
    );
    expect(blocks[0]?.text).toBe('a b');
  });

  test('20,000 nested lists are refused', async () => {
    const body =
      '<text:list><text:list-item>'.repeat(20_000) + '</text:list-item></text:list>'.repeat(20_000);
    await expect(read(makeOdt(body))).rejects.toMatchObject({ code: 'nested_too_deeply' });
  });

  test('a part that unpacks to more than allowed is refused before it is unpacked', async () => {
    const bytes = await makeOdt(p('x'), '', { 'styles.xml': new Uint8Array(2 * 2 ** 20) });
    await expect(loadAs({ fileName: 'a.odt' }, bytes, { maxUnpackedBytes: 2 ** 20 })).rejects.toMatchObject({
      code: 'expands_too_far',
    });
  });
});

test('paragraphs with the style of a heading are headings, as converters of Word write them', async () => {
  const styles =
    '<style:style style:name="P4" style:parent-style-name="Heading_20_2"/><style:style style:name="Kapitel" style:default-outline-level="1"/>';
  const body = `<text:p text:style-name="Kapitel">Sending</text:p><text:p text:style-name="P4">How to pack it</text:p>${p('Use the box.')}`;
  expect(await read(makeOdt(body, styles))).toMatchObject({
    title: 'Sending',
    blocks: [{ headings: ['How to pack it'], text: 'Use the box.' }],
  });
});
