import { expect, test } from 'vitest';
import { diffText } from '../../../core/changes/diff-text.ts';

const marked = (before: string, after: string) =>
  diffText(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

test('lines that stay, go and come are told apart, a changed one as removed and added', () => {
  expect(
    marked(
      '# Hours\n\nOpen at nine.\nClosed on Sunday.',
      '# Hours\nOpen at ten.\n\nClosed on Sunday.\nBook first.',
    ),
  ).toEqual([' # Hours', '-Open at nine.', '+Open at ten.', ' Closed on Sunday.', '+Book first.']);
});

test('the lines of both texts come back in their order, however they were mixed', () => {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 200; round += 1) {
    const texts = [0, 1].map(() => Array.from({ length: next(9) }, () => `line ${next(4)}`));
    const [before = [], after = []] = texts;
    const lines = diffText(before.join('\n'), after.join('\n'));
    expect(lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before);
    expect(lines.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after);
  }
});

test('texts that are too long to compare are shown as a whole, without what they share at both ends', () => {
  const long = (word: string) => [
    'start',
    ...Array.from({ length: 2_100 }, (_, line) => `${word} ${line}`),
    'end',
  ];
  const lines = diffText(long('old').join('\n'), long('new').join('\n'));
  expect(lines).toHaveLength(4_202);
  expect([lines[0], lines[1], lines[2_101], lines.at(-1)]).toEqual([
    { kind: 'same', text: 'start' },
    { kind: 'removed', text: 'old 0' },
    { kind: 'added', text: 'new 0' },
    { kind: 'same', text: 'end' },
  ]);
});
