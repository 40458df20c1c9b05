import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../connectors/shared/markdown/read-markdown.ts';
import { escapeCrowded } from '../../../core/base/text.ts';
import { markdownToHtml } from '../../../core/knowledge/loaders/load-markdown.ts';
import { growthOf } from '../../helpers/growth-ratio.ts';

const hostile = [
  '[',
  '[[a]',
  '[a](',
  '![[',
  '*a_ ',
  '**a',
  '~~a',
  '` `` ',
  '[\n',
  '> [a',
  '|[\n',
  '\\*a\\_ ',
];

describe('Markdown that consists of markup characters', () => {
  const openings = ['```a\n', '~~~a\n', '<!--\n', '<pre\n', '{{< ', '{{< details x ', ':::a ', '{:.a '];
  test.each([...hostile, ...openings])('%j is parsed as a document in linear time', (text) => {
    expect(growthOf(markdownToHtml, text, 16_000)).toBeLessThan(10);
  });

  test.each([...hostile, '> ', '- > ', '1) '])('%j is parsed as an answer in linear time', (text) => {
    expect(growthOf((whole) => parseMarkdown(whole, { tableColumns: 0 }), text, 16_000)).toBeLessThan(10);
  });

  test('is shown literally', () => {
    const written = `${'['.repeat(2_000)}wo\\*rds${']'.repeat(2_000)}`;
    expect(markdownToHtml(written)).toContain(written);
  });
});

describe('ordinary Markdown is unchanged', () => {
  const row = '| [a](https://a.example/x_y) | **b** | `c_d` |\n';
  test.each([
    ['a long list', '- [a](https://a.example/x_y) and **b**\n'.repeat(1_000)],
    ['a long table', `| a | b | c |\n|---|---|---|\n${row.repeat(1_000)}`],
    ['many paragraphs', 'See [a](https://a.example/x_y) and **b**.\n\n'.repeat(1_000)],
    [
      'HTML',
      `<table>\n${'<tr><td><a href="https://a.example/x_y_z">[a]</a></td></tr>\n'.repeat(1_000)}</table>`,
    ],
    ['a short text', '['.repeat(1_900)],
    ['an answer in bold', 'A sentence of **the answer**. '.repeat(260)],
  ])('%s', (_name, markdown) => {
    expect(escapeCrowded(markdown)).toBe(markdown);
  });

  test('beside crowded paragraphs', () => {
    const crowded = '*'.repeat(3_000);
    expect(escapeCrowded(`See **a**.\n\n${crowded}\n\nSee **b**.`)).toBe(
      `See **a**.\n\n${'\\*'.repeat(3_000)}\n\nSee **b**.`,
    );
  });
});
