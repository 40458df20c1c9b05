import { describe, expect, test } from 'vitest';
import type { LoadedDocument } from '../../../../core/knowledge/loaders/loader.ts';
import { loadAs } from '../../../helpers/documents/load-as.ts';

const load = (body: string): Promise<LoadedDocument> => loadAs({ contentType: 'text/html' }, body);
const texts = async (body: string): Promise<readonly string[]> =>
  (await load(body)).blocks.map(({ text }) => text);

describe('metadata of a page', () => {
  test('the heading takes precedence over a title that adds the site name', async () => {
    const page = '<title>Returns | Juniper Cycles</title><h1>Returns</h1><p>Within 30 days.';
    expect(await load(page)).toMatchObject({
      title: 'Returns',
      blocks: [{ headings: [], text: 'Within 30 days.' }],
    });
  });

  test('a heading that differs from the title stays a heading', async () => {
    const page = '<title>Juniper Cycles</title><h1>Returns</h1><p>Within 30 days.';
    expect(await load(page)).toMatchObject({ title: 'Juniper Cycles', blocks: [{ headings: ['Returns'] }] });
  });

  test.each([
    ['<link rel="canonical" href="https://juniper.example/returns">', 'https://juniper.example/returns'],
    ['<meta property="og:url" content="https://juniper.example/r">', 'https://juniper.example/r'],
    ['<link rel="canonical" href="javascript:alert(1)">', null],
    ['<link rel="canonical" href="/returns">', null],
  ])('%s yields the URL %s', async (head, url) => {
    expect((await load(`<html><head>${head}</head><p>Text.`)).url).toBe(url);
  });
});

describe('boilerplate', () => {
  test('omits navigation, header, footer, asides, forms, scripts and hidden elements', async () => {
    const page = `<body><header>Juniper Cycles</header><nav><a href="/">Home</a></nav>
      <div role="navigation">Shop</div><script>let a = 1;</script><style>p { color: red }</style>
      <p>Open from eight.<span hidden>secret</span><span style="display: none">secret</span>
      <i aria-hidden="true">★</i></p><noscript>Enable scripts</noscript>
      <aside>Related pages</aside><form><label>E-mail</label><input><button>Subscribe</button></form>
      <footer>© Juniper</footer></body>`;
    expect(await texts(page)).toEqual(['Open from eight.']);
  });

  test('only the main element is read if it holds a good share of the text', async () => {
    expect(
      await texts('<div>Sale on now!</div><main><p>Open from eight to six, on Saturdays to two.</main>'),
    ).toEqual(['Open from eight to six, on Saturdays to two.']);
  });

  test('an empty main element is ignored', async () => {
    expect(await texts('<main></main><p>Open from eight.')).toEqual(['Open from eight.']);
  });

  test('a form around the whole page is kept', async () => {
    expect(await texts('<form><p>Open from eight.</p></form>')).toEqual(['Open from eight.']);
  });

  test('a page of only navigation still yields its text', async () => {
    expect(await texts('<nav>Opening hours</nav>')).toEqual(['Opening hours']);
  });

  test('a page hidden until its scripts run is read', async () => {
    expect(await texts('<body style="visibility: hidden"><p>Open from eight.')).toEqual(['Open from eight.']);
  });

  test('a note in an aside is kept', async () => {
    expect(await texts('<p>Text.</p><aside class="callout warning">Wear a helmet.</aside>')).toContain(
      'Wear a helmet.',
    );
  });

  test('hidden content that a button discloses is kept', async () => {
    const page =
      '<h3><button aria-controls="a1">Can I return it?</button></h3><div id="a1" hidden>Within 30 days.</div>';
    expect((await load(page)).blocks).toEqual([
      { headings: ['Can I return it?'], kind: 'paragraph', text: 'Within 30 days.' },
    ]);
  });
});

describe('structure', () => {
  test('headings nest by level', async () => {
    const { blocks } = await load('<h1>A</h1><h2>B</h2><p>1<h3>C</h3><p>2<h2>D</h2><p>3<h1>E</h1><p>4');
    expect(blocks.map(({ headings, text }) => [...headings, text].join(' > '))).toEqual([
      'A > B > 1',
      'A > B > C > 2',
      'A > D > 3',
      'E > 4',
    ]);
  });

  test('a heading without content is kept as text', async () => {
    const { blocks } = await load('<h2>Contact</h2><h3>Telephone: 555 0134</h3><h2>Hours</h2><p>From eight.');
    expect(blocks).toMatchObject([
      { headings: ['Contact'], text: 'Telephone: 555 0134' },
      { headings: ['Hours'], text: 'From eight.' },
    ]);
  });

  test('a summary is the heading of its details only', async () => {
    const { blocks } = await load(
      '<h2>Questions</h2><details><summary>Is it free?</summary>Yes.</details><p>After.',
    );
    expect(blocks).toMatchObject([
      { headings: ['Questions', 'Is it free?'], text: 'Yes.' },
      { headings: ['Questions'], text: 'After.' },
    ]);
  });

  test('text between blocks becomes paragraphs', async () => {
    expect(await texts('One <b>two</b><div>three</div>four<br>five')).toEqual([
      'One two',
      'three',
      'four\nfive',
    ]);
  });

  test('links keep their text, and mail addresses and telephone numbers', async () => {
    const page = `<p>See <a href="/help">the help</a>, <a href="mailto:a%40b.example?subject=x">write to us</a>,
      <a href="mailto:c@d.example">c@d.example</a> or <a href="tel:+441632960555">call</a>.`;
    expect(await texts(page)).toEqual([
      'See the help, write to us (a@b.example), c@d.example or call (+441632960555).',
    ]);
  });

  test('permalinks and footnote numbers are omitted, exponents are kept', async () => {
    const page =
      '<h2>Fees <a href="#fees">¶</a></h2><p>Nine pounds<sup><a href="#fn1">1</a></sup> for 10<sup>6</sup>.';
    expect((await load(page)).blocks).toMatchObject([{ headings: ['Fees'], text: 'Nine pounds for 10^6.' }]);
  });

  test('code keeps its lines and indentation', async () => {
    const { blocks } = await load('<pre><code>if (a) {\n  b();\n}\n</code></pre>');
    expect(blocks).toMatchObject([{ kind: 'code', text: 'if (a) {\n  b();\n}' }]);
  });

  test('lists keep their numbers, and inner lists are indented', async () => {
    const { blocks } = await load(
      '<ol start="3"><li>Pay<ul><li>by card<li>by bank</ul><li><p>Wait</p><p>a day</p></ol>',
    );
    expect(blocks).toMatchObject([
      { kind: 'list', text: '3. Pay\n   - by card\n   - by bank\n4. Wait\n   a day' },
    ]);
  });

  test('a list of cards with headings becomes sections', async () => {
    const { blocks } = await load('<ul><li><h3>Mini</h3><p>Small.</p><li><h3>Grand</h3><p>Large.</p></ul>');
    expect(blocks).toMatchObject([
      { headings: ['Mini'], text: 'Small.' },
      { headings: ['Grand'], text: 'Large.' },
    ]);
  });

  test('definitions follow their terms', async () => {
    expect(await texts('<dl><dt>VAT</dt><dd>20%</dd><dt>Is it free?</dt><dd>Yes.</dd></dl>')).toEqual([
      '- VAT: 20%\n- Is it free? Yes.',
    ]);
  });
});

describe('tables', () => {
  const rows = async (table: string): Promise<readonly string[]> => {
    const { blocks } = await load(`<table>${table}</table>`);
    expect(blocks.at(-1)?.kind).toBe('table');
    return blocks.at(-1)?.text.split('\n') ?? [];
  };

  test('every row names its columns', async () => {
    const table =
      '<tr><th>Country<th>Delivery<th>Price<tr><td>Norway<td>3 days<td>£9<tr><td>Japan<td><td>£41.';
    expect(await rows(table)).toEqual([
      'Country: Norway; Delivery: 3 days; Price: £9',
      'Country: Japan; Price: £41.',
    ]);
  });

  test('a cell over several rows repeats in each, one over several columns appears once', async () => {
    const table = `<thead><tr><th>Zone<th>Day<th>Fee</thead>
      <tr><td rowspan=2>North<td>Monday<td>£1<tr><td>Friday<td>£2<tr><td colspan=3>closed`;
    expect(await rows(table)).toEqual([
      'Zone: North; Day: Monday; Fee: £1',
      'Zone: North; Day: Friday; Fee: £2',
      'Zone: closed',
    ]);
  });

  test('two header rows are combined', async () => {
    const table = `<tr><th rowspan=2>Zone<th colspan=2>Price<tr><th>small<th>large<tr><td>North<td>£1<td>£2`;
    expect(await rows(table)).toEqual(['Zone: North; Price small: £1; Price large: £2']);
  });

  test('two columns without a header are name and value', async () => {
    expect(await rows('<tr><td>Weight<td>9 kg<tr><th>Power<td>30 W')).toEqual([
      'Weight: 9 kg',
      'Power: 30 W',
    ]);
  });

  test('a bold first row is a header', async () => {
    expect(await rows('<tr><td><b>Day</b><td><b>Hours</b><tr><td>Monday<td>8 to 6')).toEqual([
      'Day: Monday; Hours: 8 to 6',
    ]);
  });

  test('a layout table is not read as a table', async () => {
    const page =
      '<table><tr><td><h2>Hours</h2><p>From eight.</td><td><table><tr><td>a<td>b</table></td></tr></table>';
    expect((await load(page)).blocks).toMatchObject([
      { headings: ['Hours'], text: 'From eight.' },
      { kind: 'table' },
    ]);
  });

  test('spans over millions of cells are limited', async () => {
    const span = 'colspan=99999999 rowspan=99999999';
    expect(await rows(`<tr><td ${span}>a</td><td>b</td><tr><td>c<tr><td>d<td>e`)).toHaveLength(3);
  });
});

describe('hostile pages', () => {
  test.each(['<div>', '<b>', '<table><tr><td>', '<ul><li>', '<svg>'])(
    '100,000 nested %s are refused',
    async (tag) => {
      await expect(load(`<p>${tag.repeat(100_000)}x`)).rejects.toMatchObject({ code: 'nested_too_deeply' });
    },
  );

  test('an item of 200,000 lines is read', async () => {
    const [text = ''] = await texts(`<ul><li><pre>${'a line\n'.repeat(200_000)}</pre></ul>`);
    expect(text.split('\n')).toHaveLength(200_003);
  });

  test('20,000 elements side by side are read', async () => {
    expect(await texts('<p>x'.repeat(20_000))).toHaveLength(20_000);
  });
});
