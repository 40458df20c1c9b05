import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../connectors/shared/markdown/read-markdown.ts';
import { escapeCrowded } from '../../core/crowded-markdown.ts';
import { markdownToHtml } from '../../core/knowledge/loaders/markdown/markdown-to-html.ts';
import { growthOf } from '../helpers/growth-of.ts';

const hostile = [
  '[',
  '[[a]',
  '[a](',
  '![[',
  '*a_ ',
  '**a',
  '~~a',
  '` `` ',
  '[\\n',
  '> [a',
  '|[\\n',
  '- *a_ ',
].map((text) => text.replace('\\n', '\n'));

describe('Markdown of nothing but signs', () => {
  test.each(hostile)('%j is read as a document in time that grows no faster than it', (text) => {
    expect(growthOf(markdownToHtml, text, 64_000)).toBeLessThan(10);
  });

  test.each([...hostile, '> '])('%j is read as an answer in time that grows no faster than it', (text) => {
    expect(growthOf((whole) => readMarkdown(whole, { tableColumns: 0 }), text, 32_000)).toBeLessThan(10);
  });

  test('is shown as it was written', () => {
    const html = markdownToHtml(`${'['.repeat(2_000)}words${']'.repeat(2_000)}`);
    expect(html).toContain(`${'['.repeat(2_000)}words${']'.repeat(2_000)}`);
  });
});

describe('Markdown that people write stays as it is', () => {
  const row = '| [a](https://a.example/x_y) | **b** | `c_d` |\n';
  test.each([
    ['a long list', '- [a](https://a.example/x_y) and **b**\n'.repeat(1_000)],
    ['a long table', `| a | b | c |\n|---|---|---|\n${row.repeat(1_000)}`],
    ['many paragraphs', 'See [a](https://a.example/x_y) and **b**.\n\n'.repeat(1_000)],
    [
      'HTML',
      `<table>\n${'<tr><td><a href="https://a.example/x_y_z">[a]</a></td></tr>\n'.repeat(1_000)}</table>`,
    ],
    ['a short text', '['.repeat(900)],
  ])('%s', (_name, markdown) => {
    expect(escapeCrowded(markdown)).toBe(markdown);
  });

  test('beside what is crowded', () => {
    const crowded = '*'.repeat(2_000);
    expect(escapeCrowded(`See **a**.\n\n${crowded}\n\nSee **b**.`)).toBe(
      `See **a**.\n\n${'\\*'.repeat(2_000)}\n\nSee **b**.`,
    );
  });
});
