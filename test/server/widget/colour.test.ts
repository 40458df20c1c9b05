import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeAccent, contrast } from '../../../server/widget/colours.ts';

test('text is readable on any chosen colour, and the colour on both backgrounds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const { colour, text, light, dark } = computeAccent(`#${number.toString(16).padStart(6, '0')}`);
      expect(contrast(colour, text)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, '#17191e')).toBeGreaterThanOrEqual(4.5);
    }),
  );
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});
