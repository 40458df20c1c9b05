import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourceLinks } from '../../../../core/answering/safety/addresses.ts';
import { LinkGuard } from '../../../../core/answering/safety/link-guard.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

const isOwn = sourceLinks([
  {
    url: 'https://help.acme.example/start',
    text: 'See https://help.acme.example/returns and https://acme.example/a.',
  },
]);

function guarded(text: string, size = 1_000) {
  const guard = new LinkGuard(isOwn);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += size)
    pieces.push(guard.push(text.slice(start, start + size)));
  return [...pieces, guard.end()].join('');
}

const sizes = [1, 2, 3, 7, 1_000];

test.each(sizes)('tells where words stand after it, in pieces of %i characters', (size) => {
  const text = 'See [our offer](https://evil.example/a?d=1). Go to https://evil.example/a, then to the end.';
  const guard = new LinkGuard(isOwn);
  let shown = '';
  for (let start = 0; start < text.length; start += size)
    shown += guard.push(text.slice(start, start + size));
  shown += guard.end();
  for (const word of ['our', 'offer', 'Go to', 'then', 'the end'])
    expect(guard.locate(text.indexOf(word)), word).toBe(shown.indexOf(word));
  expect(guard.locate(text.length)).toBe(shown.length);
});

describe.each(sizes)('a text in pieces of %i characters', (size) => {
  test.each([
    ['See [our offer](https://evil.example/a?d=1).', 'See our offer.'],
    ['Look: ![a pixel](https://evil.example/p.png) here.', 'Look: a pixel here.'],
    ['Go to https://evil.example/a?q=1, now.', 'Go to , now.'],
    ['Go to www.evil.example.', 'Go to .'],
    ['Go to evil.example/claim?x=1 now.', 'Go to evil.example now.'],
    ['Go to <https://evil.example/a> now.', 'Go to  now.'],
    ['Run <img src="https://evil.example/p.png" onerror="x()">this.', 'Run this.'],
    ['[run](javascript:alert(1)) it', 'run) it'],
    ['[a](//evil.example/b) and [b](/\\evil.example)', 'a and b'],
    ['https://help.acme.example@evil.example/ is a trick.', ' is a trick.'],
    ['[https://help.acme.example](https://evil.example/) is too', 'https://help.acme.example is too'],
    ['ht<img src=x>tps://evil.example/a', 'ht'],
  ])('loses its foreign parts: %s', (text, expected) => {
    expect(guarded(text, size)).toBe(expected);
  });

  test.each([
    'See [returns](https://help.acme.example/returns "Returns") and https://acme.example/a, or www.acme.example!',
    'Write to support@other.example: it takes 3.5 days [sic] (and/or 10:30) if a < b.',
    'Press <b>OK</b>! Node.js - e.g. version 24 - is “enough”.\n\n- one\n- [ ] two',
  ])('stays unchanged: %s', (text) => {
    expect(guarded(text, size)).toBe(text);
  });
});

test('passes an endless word through, without the address at its end', () => {
  const endless = 'x'.repeat(200_000);
  expect(guarded(endless, 50_000)).toBe(endless);
  expect(guarded(`${endless}, https://evil.example/a`, 50_000)).toBe(`${endless}, `);
});

test('removes foreign addresses, however they are split and disguised', () => {
  const parts = [
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '!',
    ' ',
    'ht',
    'tps:',
    '//',
    'evil',
    '.example',
    '/a',
    'www.',
    'x',
    '\n',
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((chosen) => chosen.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (given, size) => {
      expect(guarded(given, size)).not.toMatch(
        /\/\/evil|(?<![a-z.])www\.evil|evil\.example\/|<img|\]\([^)\s]*evil[^)]*\)/u,
      );
    }),
    { numRuns: 5_000 },
  );
});

test('shows words at once', () => {
  const guard = new LinkGuard(isOwn);
  expect(['Parcels', ' arrive', ' within 3', ' days.'].map((piece) => guard.push(piece))).toEqual([
    'Parcels',
    ' arrive',
    ' within 3',
    ' days.',
  ]);
});

test.each(['x', '中', 'a.', ':', '[', '[aa', '[a[b]', '](', '[](<', '<a ', 'h:/', 'x.y/'])(
  'processes a text of only %s in linear time',
  async (part) => {
    const guard = new LinkGuard(isOwn);
    const text = part.repeat(4_000 / part.length);
    const readMs = await processorMs(() => {
      guard.push(text);
      guard.push(` ${text}\n`);
      guard.end();
    });
    expect(readMs).toBeLessThan(2_000);
  },
);
