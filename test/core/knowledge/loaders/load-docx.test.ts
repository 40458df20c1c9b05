import { describe, expect, test } from 'vitest';
import { documentFixture, loadAs } from '../../../helpers/documents/load-as.ts';
import { makeDocx } from '../../../helpers/documents/make-archive.ts';

const LIMITS = { maxUnpackedBytes: 2 ** 20 };
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

test('title, headings, lists and tables of a Word document are read', async () => {
  const { title, blocks } = await loadAs({ fileName: 'a.docx' }, documentFixture('handbook.docx'));
  expect(title).toBe('Returns handbook');
  expect(blocks.slice(1, 3)).toMatchObject([
    {
      headings: ['Sending a bicycle back', 'How to pack it'],
      kind: 'list',
      text: '1. Take off the pedals.\n2. Turn the handlebar by ninety degrees.\n3. Use the original box.',
    },
    {
      headings: ['Sending a bicycle back', 'What it costs'],
      kind: 'table',
      text: 'Country: Norway; Collection: 3 days; Fee: £9\nCountry: Portugal; Collection: 5 days; Fee: £14\nCountry: Japan; Collection: 9 days; Fee: £41',
    },
  ]);
});

test.each([
  ['Warranty terms', 'Warranty terms'],
  ['Document1', null],
  ['offer final.docx', null],
])('the property title %s becomes %s', async (property, title) => {
  const properties = `<?xml version="1.0"?><cp:coreProperties xmlns:dc="x"><dc:title>${property}</dc:title></cp:coreProperties>`;
  const bytes = await makeDocx(paragraph('Ten years.'), { 'docProps/core.xml': properties });
  expect(await loadAs({ fileName: 'a.docx' }, bytes)).toMatchObject({
    title,
    blocks: [{ text: 'Ten years.' }],
  });
});

test('hidden text is left out, and what only looks like it stays', async () => {
  const run = (text: string, properties: string) =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const styles = `<w:styles xmlns:w="w"><w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`;
  const body = [
    `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('Ten years. ', '<w:b/>')}${run('Internal 638. ', '<w:vanish/>')}`,
    run('Twelve with a receipt. ', '<w:vanish w:val="0"/>'),
    `${run('Draft 77.', '<w:rStyle w:val="Secret"/>')}</w:p>`,
  ];
  const bytes = await makeDocx(body.join(''), { 'word/styles.xml': styles });
  expect((await loadAs({ fileName: 'a.docx' }, bytes)).blocks).toMatchObject([
    { text: 'Ten years. Twelve with a receipt.' },
  ]);
});

describe('damaged and hostile files', () => {
  test('a truncated file is refused as damaged', async () => {
    const bytes = documentFixture('handbook.docx').subarray(0, 20_000);
    await expect(loadAs({ fileName: 'a.docx' }, bytes)).rejects.toMatchObject({ code: 'corrupt_file' });
  });

  test('a file with a truncated part is refused as damaged', async () => {
    const bytes = await makeDocx('<w:p><w:r>');
    await expect(loadAs({ fileName: 'a.docx' }, bytes)).rejects.toMatchObject({
      code: expect.stringMatching(/corrupt|no_text/),
    });
  });

  test('a part that unpacks to more than allowed is refused before it is unpacked', async () => {
    const bytes = await makeDocx(paragraph('x'), { 'word/styles.xml': new Uint8Array(2 * 2 ** 20) });
    await expect(loadAs({ fileName: 'a.docx' }, bytes, LIMITS)).rejects.toMatchObject({
      code: 'expands_too_far',
    });
  });

  test('a part that unpacks to more than its declared size is refused', async () => {
    const honest = await makeDocx(paragraph('x'), { 'word/styles.xml': new Uint8Array(2 * 2 ** 20) });
    const lying = Buffer.from(honest);
    for (let at = lying.indexOf('styles.xml'); at >= 0; at = lying.indexOf('styles.xml', at + 1)) {
      const central = lying.readUInt32LE(at - 5 - 46) === 0x02014b50;
      lying.writeUInt32LE(100, central ? at - 5 - 46 + 24 : at - 5 - 30 + 22);
    }
    await expect(loadAs({ fileName: 'a.docx' }, new Uint8Array(lying), LIMITS)).rejects.toMatchObject({
      code: 'corrupt_file',
    });
  });

  test('pictures are not unpacked', async () => {
    const bytes = await makeDocx(paragraph('Ten years.'), {
      'word/media/a.png': new Uint8Array(2 * 2 ** 20),
    });
    expect(await loadAs({ fileName: 'a.docx' }, bytes, LIMITS)).toMatchObject({
      blocks: [{ text: 'Ten years.' }],
    });
  });

  test('20,000 nested elements are refused', async () => {
    const bytes = await makeDocx(`${'<w:ins>'.repeat(20_000)}${'</w:ins>'.repeat(20_000)}`);
    await expect(loadAs({ fileName: 'a.docx' }, bytes)).rejects.toMatchObject({ name: 'DocumentError' });
  });
});
