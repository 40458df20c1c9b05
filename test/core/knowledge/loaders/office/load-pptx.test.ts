import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { makePptx, shape, slideTable } from '../../../../helpers/documents/make-slides.ts';

const read = async (bytes: Promise<Uint8Array>) => loadAs({ fileName: 'talk.pptx' }, await bytes);

const slide = (number: number) => ({ kind: 'slide', from: number, to: number });

test('slides are read in the order in which they are shown, each under its title', async () => {
  const { title, blocks } = await read(
    makePptx([
      { shapes: shape('ctrTitle', ['Returns for shops']) + shape('subTitle', ['Spring 2024']) },
      {
        shapes:
          shape('title', ['Sending back']) + shape('', ['Pack the bicycle', '1:Use the box', 'Call us']),
      },
      { shapes: shape('body', ['Ten days.']) + shape('title', ['Refunds']), notes: 'Mention the holiday.' },
    ]),
  );
  expect(title).toBe('Returns for shops');
  expect(blocks).toEqual([
    { headings: [], kind: 'paragraph', text: 'Spring 2024', place: slide(1) },
    {
      headings: ['Sending back'],
      kind: 'list',
      text: '- Pack the bicycle\n  - Use the box\n- Call us',
      place: slide(2),
    },
    { headings: ['Refunds'], kind: 'paragraph', text: 'Ten days.', place: slide(3) },
    { headings: ['Refunds'], kind: 'paragraph', text: 'Mention the holiday.', place: slide(3) },
  ]);
});

test('tables keep their header row and merged cells', async () => {
  const merged = '<a:tc rowSpan="2"><a:txBody><a:p><a:r><a:t>Norway</a:t></a:r></a:p></a:txBody></a:tc>';
  const rows = [
    ['Country', 'Kind', 'Fee'],
    [merged, 'Parcel', '£9'],
    ['<a:tc vMerge="1"><a:txBody><a:p/></a:txBody></a:tc>', 'Letter', '£1'],
  ];
  const { blocks } = await read(makePptx([{ shapes: shape('title', ['Fees']) + slideTable(rows) }]));
  expect(blocks).toMatchObject([
    {
      headings: ['Fees'],
      kind: 'table',
      text: 'Country: Norway; Kind: Parcel; Fee: £9\nCountry: Norway; Kind: Letter; Fee: £1',
      table: { labels: ['Country', 'Kind', 'Fee'] },
    },
  ]);
});

test('text boxes are paragraphs unless they have bullets, and groups are opened', async () => {
  const shapes = `<p:grpSp>${shape(null, ['One.', 'Two.'])}${shape(null, ['First', 'Second'], '<a:buAutoNum type="arabicPeriod"/>')}</p:grpSp>`;
  const { blocks } = await read(makePptx([{ shapes }]));
  expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
    ['paragraph', 'One.'],
    ['paragraph', 'Two.'],
    ['list', '1. First\n2. Second'],
  ]);
});

test('one alternative of a shape is read, and the texts of diagrams', async () => {
  const alternatives = `<mc:AlternateContent><mc:Choice>${shape(null, ['New'])}</mc:Choice><mc:Fallback>${shape(null, ['Old'])}</mc:Fallback></mc:AlternateContent>`;
  const diagram =
    '<d:dataModel xmlns:d="d" xmlns:a="a"><d:ptLst><d:pt><d:t><a:p><a:r><a:t>Order</a:t></a:r></a:p></d:t></d:pt><d:pt><d:t><a:p><a:r><a:t>Pay</a:t></a:r></a:p></d:t></d:pt></d:ptLst></d:dataModel>';
  const { blocks } = await read(makePptx([{ shapes: alternatives }], { 'ppt/diagrams/d.xml': diagram }));
  expect(blocks.map(({ text }) => text)).toEqual(['New', '- Order\n- Pay']);
});

test('hidden slides, dates, footers and slide numbers are left out', async () => {
  const shapes = ['dt', 'ftr', 'sldNum'].map((kind) => shape(kind, [kind])).join('');
  const { blocks } = await read(
    makePptx([
      { shapes: shape(null, ['secret']), hidden: true },
      { shapes: shapes + shape(null, ['Shown']) },
    ]),
  );
  expect(blocks.map(({ text }) => text)).toEqual(['Shown']);
});

describe('damaged and hostile files', () => {
  test('a presentation of a single title has that text', async () => {
    const { title, blocks } = await read(makePptx([{ shapes: shape('ctrTitle', ['Closed on Monday']) }]));
    expect([title, blocks[0]?.text]).toEqual(['Closed on Monday', 'Closed on Monday']);
  });

  test('slides that refer to themselves and a list that repeats a slide end', async () => {
    const related =
      '<Relationships><Relationship Id="n" Type="x/notesSlide" Target="slide1.xml"/><Relationship Id="s0" Type="x/slide" Target="slide1.xml"/></Relationships>';
    const bytes = makePptx([{ shapes: shape(null, ['Once']) }], {
      'ppt/slides/_rels/slide1.xml.rels': related,
      'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${'<p:sldId r:id="s0"/>'.repeat(10_000)}</p:sldIdLst></p:presentation>`,
    });
    expect((await read(bytes)).blocks.map(({ text }) => text)).toEqual(['Once']);
  });

  test('declared entities are refused', async () => {
    const bomb = '<!DOCTYPE p [<!ENTITY a "aaaa">]><p:sld xmlns:p="p">&a;</p:sld>';
    await expect(read(makePptx([{ shapes: '' }], { 'ppt/slides/slide1.xml': bomb }))).rejects.toMatchObject({
      code: 'corrupt_file',
      what: 'This PowerPoint presentation',
    });
  });

  test('20,000 nested groups are refused', async () => {
    const shapes = `${'<p:grpSp>'.repeat(20_000)}${'</p:grpSp>'.repeat(20_000)}`;
    await expect(read(makePptx([{ shapes }]))).rejects.toMatchObject({ code: 'nested_too_deeply' });
  });

  test('a part that unpacks to more than allowed is refused before it is unpacked', async () => {
    const bytes = await makePptx([{ shapes: '' }], { 'ppt/theme/a.xml': new Uint8Array(2 * 2 ** 20) });
    await expect(loadAs({ fileName: 'a.pptx' }, bytes, { maxUnpackedBytes: 2 ** 20 })).rejects.toMatchObject({
      code: 'expands_too_far',
    });
  });

  test('a presentation without text is refused as such', async () => {
    await expect(read(makePptx([{ shapes: '' }]))).rejects.toMatchObject({ code: 'no_text' });
  });
});
