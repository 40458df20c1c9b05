import { describe, expect, test } from 'vitest';
import { notionKind } from '../../../../../core/sources/tools/notion/notion.ts';
import { NotionStandIn, rich, text } from '../../../../helpers/sources/tools/notion.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

function open(settings: Readonly<Record<string, unknown>> = {}, token = 'right-token') {
  const notion = new NotionStandIn();
  for (const id of ['a', 'b', 'c']) notion.set(id);
  return { notion, bench: new ToolBench(notionKind, { settings, credentials: { token } }, notion) };
}

describe('the pages of Notion', () => {
  test('are listed page by page and read as Markdown', async () => {
    const { bench, notion } = open();
    notion.set('b', { publicUrl: 'https://acme.notion.site/b' });
    expect(await bench.list()).toMatchObject({ keys: ['a', 'b', 'c'], pages: 2 });
    expect(await bench.content('a')).toMatchObject({
      ...{ text: 'Text a\n', title: 'Page a', contentType: 'text/markdown', url: 'https://www.notion.so/a' },
    });
    expect((await bench.content('b')).url).toBe('https://acme.notion.site/b');
  });

  test('keep headings, lists, tables, code, callouts and toggles', async () => {
    const { bench, notion } = open();
    const inner = [text('to_do', 'Done', { content: { checked: true } }), text('to_do', 'Open')];
    const cells = (...values: string[]) => ({
      type: 'table_row',
      content: { cells: values.map((one) => rich(one)) },
    });
    notion.set('a', {
      blocks: [
        text('heading_1', 'Set up'),
        text('bulleted_list_item', 'First', { children: [text('paragraph', 'More'), ...inner] }),
        text('bulleted_list_item', 'Second'),
        text('numbered_list_item', 'One'),
        text('code', 'let a = 1;', { content: { language: 'typescript' } }),
        { type: 'table', children: [cells('Plan', 'Price'), cells('Free', '0 | none')] },
        text('callout', 'Mind this', { children: [text('paragraph', 'And that')] }),
        text('toggle', 'How do I pay?', { children: [text('paragraph', 'By card.')] }),
        {
          type: 'paragraph',
          content: {
            rich_text: [...rich('bold ', { bold: true }), ...rich('docs', {}, 'https://acme.example/d')],
          },
        },
        text('heading_2', 'Fold', {
          content: { is_toggleable: true },
          children: [text('paragraph', 'Inside')],
        }),
        {
          type: 'column_list',
          children: [{ type: 'column', children: [text('paragraph', '# no heading')] }],
        },
        { type: 'child_page', content: { title: 'Own' }, children: [text('paragraph', 'never')] },
        { type: 'divider' },
        { type: 'bookmark', content: { url: 'javascript:alert(1)', caption: rich('Bad') } },
        { type: 'unsupported' },
      ],
    });
    expect((await bench.content('a')).text).toMatchInlineSnapshot(`
      "## Set up

      - First

        More
        - [x] Done
        - [ ] Open
      - Second

      1. One

      \`\`\`typescript
      let a = 1;
      \`\`\`

      | Plan | Price     |
      | ---- | --------- |
      | Free | 0 \\| none |

      > Mind this
      >
      > And that

      **How do I pay?**

      By card.

      **bold** [docs](https://acme.example/d)

      ### Fold

      Inside

      \\# no heading

      [Own](https://www.notion.so/a.11)

      ***

      Bad
      "
    `);
  });

  test('of a database keep what their properties say', async () => {
    const { bench, notion } = open();
    const properties = {
      Answer: { type: 'rich_text', rich_text: rich('Within 14 days.') },
      Topic: { type: 'multi_select', multi_select: [{ name: 'Refunds' }, { name: 'Money' }] },
      Owner: { type: 'people', people: [{ name: 'Ann' }] },
    };
    notion.set('a', { blocks: [], properties });
    expect((await bench.content('a')).text).toBe(
      '**Answer:** Within 14 days.\n\n**Topic:** Refunds, Money\n\n**Owner:** Ann\n',
    );
  });

  test('are read again only after a change, and are missing from the list after a deletion', async () => {
    const { bench, notion } = open();
    await bench.run();
    notion.set('a', { edited: '2026-02-01T00:00:00.000Z' });
    notion.pages.delete('b');
    expect(await bench.run()).toEqual({ a: 'content', b: 'missing', c: 'same' });
  });

  test('that were edited just now are read once more: Notion rounds times to minutes', async () => {
    const { bench, notion } = open();
    notion.set('a', { edited: '2026-03-01T07:59:00.000Z' });
    await bench.run();
    bench.now = new Date('2026-03-01T09:00:00Z');
    expect(await bench.run()).toEqual({ a: 'content', b: 'same', c: 'same' });
    expect(await bench.run()).toEqual({ a: 'same', b: 'same', c: 'same' });
  });

  test('that are empty, in the trash or not public are left out', async () => {
    const { bench, notion } = open({ only_public: true });
    const publicUrl = 'https://acme.notion.site/x';
    notion.set('a', { archived: true, publicUrl });
    notion.set('b', { blocks: [], publicUrl });
    expect(await bench.run()).toEqual({ a: 'archived', b: 'empty', c: 'not_public' });
  });

  test('that nest without an end fail alone', async () => {
    const { bench, notion } = open();
    let block = text('toggle', 'end');
    for (let depth = 0; depth < 25; depth += 1) block = text('toggle', 'in', { children: [block] });
    notion.set('a', { blocks: [block] });
    expect(await bench.run()).toEqual({ a: 'too_large', b: 'content', c: 'content' });
  });

  test('that the integration may not open fail alone, and those that vanish are gone', async () => {
    const { bench, notion } = open();
    notion.forbidden.add('b');
    expect(await bench.run()).toMatchObject({ a: 'content', b: 'no_permission' });
    expect(await bench.read('zzz')).toEqual({ kind: 'gone' });
  });

  test('wait for the limit of Notion', async () => {
    const { bench } = open();
    bench.next.push({ status: 429, headers: { 'retry-after': '1' } });
    await bench.list();
    expect(bench.waits).toEqual([1_000]);
    bench.next.push({ status: 429, headers: { 'retry-after': '120' } });
    await expect(bench.open().read({ key: 'a', validators: null })).rejects.toMatchObject({
      ...{ name: 'SourceError', code: 'rate_limited', retryAfterMs: 120_000 },
    });
  });

  test('are refused with the words of Notion if the token is wrong', async () => {
    await expect(open({}, 'wrong-token').bench.list()).rejects.toMatchObject({
      ...{
        name: 'SourceError',
        code: 'source_refused',
        message: 'Notion answers with status 401: API token is invalid.',
      },
    });
  });

  test('never lead a request to another resource', async () => {
    const { bench } = open();
    await bench.read('../users');
    await expect(bench.open().read({ key: '..', validators: null })).rejects.toMatchObject({
      code: 'unusable_key',
    });
    expect(bench.calls.map(({ url }) => url.pathname).filter((path) => path !== '/v1/search')).toEqual([
      '/v1/pages/..%2Fusers',
    ]);
  });
});
