import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';

const read = (body: string) =>
  loadAs({ fileName: 'a.rtf' }, Buffer.from(`{\\rtf1\\ansi\\ansicpg1252${body}}`, 'latin1'));
const textOf = async (body: string): Promise<string> =>
  (await read(body)).blocks.map(({ text }) => text).join('\n');

test('title, headings, lists and paragraphs are read', async () => {
  const styles = '{\\stylesheet{\\s0 Normal;}{\\s1\\b heading 1;}{\\s2 heading 2;}{\\s9 Title;}}';
  const item = (level: number, marker: string, text: string): string =>
    `\\pard\\ilvl${level}{\\listtext\\tab ${marker}\\tab}${text}\\par\n`;
  const { title, blocks } = await read(
    `${styles}\\pard\\s9 Returns handbook\\par\\pard\\s1 Sending\\par\\pard\\s2 {\\b How} to pack\\par\\pard Use the\nbox.\\par ${item(0, '1.', 'Take off the pedals')}${item(1, '\\bullet', 'the left one')}${item(0, '2.', 'Pack')}\\pard\\outlinelevel0 Fees\\par\\pard None.`,
  );
  expect(title).toBe('Returns handbook');
  expect(blocks).toEqual([
    { headings: ['Sending', 'How to pack'], kind: 'paragraph', text: 'Use thebox.' },
    {
      headings: ['Sending', 'How to pack'],
      kind: 'list',
      text: '1. Take off the pedals\n   - the left one\n2. Pack',
    },
    { headings: ['Fees'], kind: 'paragraph', text: 'None.' },
  ]);
});

test('tables keep their header row and merged cells', async () => {
  const row = (cells: readonly string[], form = ''): string =>
    `\\trowd${form}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row\n`;
  const body = `${row(['Country', 'Kind', 'Fee'], '\\trhdr\\cellx1\\cellx2\\cellx3')}${row(['Norway', 'Parcel', '9'], '\\clvmgf\\cellx1\\cellx2\\cellx3')}${row(['', 'Letter', '1'], '\\clvmrg\\cellx1\\cellx2\\cellx3')}\\pard After.`;
  expect((await read(body)).blocks).toMatchObject([
    {
      kind: 'table',
      text: 'Country: Norway; Kind: Parcel; Fee: 9\nCountry: Norway; Kind: Letter; Fee: 1',
      table: { labels: ['Country', 'Kind', 'Fee'] },
    },
    { text: 'After.' },
  ]);
});

test.each([
  ['Unicode with a fallback', '\\u8364?5 \\u-10179?\\u-8704?', '€5 😀'],
  ['Unicode with several fallback characters', "\\uc2\\u12354\\'82\\'a0x", 'あx'],
  ['the code page of the file', "Gr\\'f6\\'dfe", 'Größe'],
  ['the code page of a font', "{\\fonttbl{\\f1\\fcharset204 Arial;}}{\\f1\\'c4\\'e0} \\'e9", 'Да é'],
  ['double-byte characters', "{\\fonttbl{\\f2\\fcharset128 Mincho;}}\\f2\\'94\\'7a\\'91\\'97", '配送'],
  ['symbols', 'a\\emdash b\\~c\\_d \\{x\\}\\\\', 'a—b c-d {x}\\'],
])('%s is decoded', async (_, body, text) => {
  expect(await textOf(body)).toBe(text);
});

test('fields show their result; pictures, hidden text, headers and unknown destinations are left out', async () => {
  const body =
    '{\\info{\\title Warranty terms}{\\author Nobody}}{\\header Page}{\\*\\generator Riched;}{\\colortbl;\\red0;}{\\pict\\bin5 }}}}}}{\\v secret}' +
    '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt our page}}{\\*\\footnote Note.} ends.';
  expect(await read(body)).toMatchObject({
    title: 'Warranty terms',
    blocks: [{ text: 'our page ends.' }, { text: 'Note.' }],
  });
});

describe('damaged and hostile files', () => {
  test('groups nested deeper than 600 are refused', async () => {
    await expect(read('{'.repeat(1_000_000))).rejects.toMatchObject({ code: 'nested_too_deeply' });
  });

  test.each([
    ['closing groups too often', '}}}}text', 'text'],
    ['an escape at the end', "text\\'", 'text'],
    ['a control word at the end', 'text\\', 'text'],
    ['a negative length', 'te\\bin-999999 xt', 'text'],
    ['a row without cells', '\\trowd\\row\\intbl text', 'text'],
  ])('%s does not fail', async (_, body, text) => {
    expect(await textOf(body)).toContain(text);
  });

  test('a file without text is refused as such', async () => {
    await expect(read('\\par\\par')).rejects.toMatchObject({ code: 'no_text' });
  });
});
