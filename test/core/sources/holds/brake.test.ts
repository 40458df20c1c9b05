import { describe, expect, test } from 'vitest';
import { isShrunk, judgeRun } from '../../../../core/sources/holds/brake.ts';

const calm = { documents: 100, removed: 0, changed: 0, shrunk: 0, alike: 0 };

describe('a run is held', () => {
  test.each([
    ['if more than a fifth of the documents would go', { removed: 21 }, ['pages_gone']],
    ['not if it is a fifth', { removed: 20 }, []],
    ['if all ten documents of a small source would go', { documents: 10, removed: 10 }, ['pages_gone']],
    ['not below ten documents, even if they are all', { documents: 9, removed: 9 }, []],
    ['if more than three in ten lose their text', { shrunk: 31 }, ['pages_shrunk']],
    ['not if every page changes and none shrinks', { changed: 100 }, []],
    ['not if three in ten lose their text', { shrunk: 30 }, []],
    ['if more than three in ten become the same text', { alike: 31 }, ['pages_alike']],
    [
      'for each reason',
      { removed: 40, shrunk: 40, alike: 40 },
      ['pages_gone', 'pages_shrunk', 'pages_alike'],
    ],
    ['not by the first run, which has no documents', { documents: 0 }, []],
  ])('%s', (_, effect, rules) => {
    expect(judgeRun({ ...calm, ...effect })).toEqual(rules);
  });
});

test.each([
  ['less than half is left', { before: 1_000, after: 499 }, true],
  ['half is left', { before: 1_000, after: 500 }, false],
  ['it was a line', { before: 99, after: 0 }, false],
  ['nobody knows what it had', { before: null, after: 0 }, false],
])('whether a page has shrunk, where %s', (_, sizes, expected) => {
  expect(isShrunk(sizes)).toBe(expected);
});
