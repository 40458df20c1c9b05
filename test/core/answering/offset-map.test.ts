import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OffsetMap } from '../../../core/answering/offset-map.ts';

test('finds the characters that stay, after parts were removed or replaced', () => {
  const part = fc.record({
    text: fc.string({ maxLength: 6 }),
    becomes: fc.option(fc.string({ maxLength: 6 })),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const map = new OffsetMap();
      let [before, after] = [0, 0];
      const stays: [number, number][] = [];
      for (const { text, becomes } of parts) {
        const length = becomes?.length ?? text.length;
        map.advance(text.length, length);
        if (length === text.length)
          for (let index = 0; index < length; index += 1) stays.push([before + index, after + index]);
        before += text.length;
        after += length;
      }
      for (const [from, to] of stays) expect(map.locate(from)).toBe(to);
      for (let at = 0; at <= before; at += 1) expect(map.locate(at)).toBeLessThanOrEqual(after);
    }),
  );
});

test('places what was removed where the rest goes on', () => {
  const map = new OffsetMap();
  map.advance(4);
  map.advance(10, 0);
  map.advance(4);
  expect([3, 4, 9, 14, 18].map((offset) => map.locate(offset))).toEqual([3, 4, 4, 4, 8]);
});
