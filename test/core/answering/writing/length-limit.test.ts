import { expect, test } from 'vitest';
import { LengthLimit } from '../../../../core/answering/generated/model-writer.ts';

function limited(text: string, size: number) {
  const limit = new LengthLimit();
  let shown = '';
  for (let start = 0; start < text.length; start += size) shown += limit.cut(text.slice(start, start + size));
  return { shown, isReached: limit.isReached };
}

test.each([3, 100, 20_000])('ends a long answer with a complete sentence (in pieces of %i)', (size) => {
  const { shown, isReached } = limited('All parcels arrive in time. '.repeat(500), size);
  expect(isReached).toBe(true);
  expect(shown.length).toBeGreaterThan(6_900);
  expect(shown.length).toBeLessThanOrEqual(8_000);
  expect(shown).toMatch(/in time\.$/);
});

test.each([3, 100, 20_000])('truncates a long answer without sentences (in pieces of %i)', (size) => {
  const { shown } = limited('parcel '.repeat(3_000), size);
  expect(shown.length).toBeLessThanOrEqual(8_000);
  expect(shown).toMatch(/…$/);
});

test('leaves shorter answers unchanged', () => {
  const text = 'All parcels arrive in time. '.repeat(200);
  expect(limited(text, 7)).toEqual({ shown: text, isReached: false });
});
