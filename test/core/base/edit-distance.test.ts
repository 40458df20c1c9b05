import { expect, it } from 'vitest';
import { editDistance } from '../../../core/base/edit-distance.ts';

it.each([
  ['spade', 'spade', 0],
  ['spde', 'spade', 1],
  ['spadde', 'spade', 1],
  ['spide', 'spade', 1],
  ['spdae', 'spade', 1],
  ['delivary', 'deliveries', 4],
  ['', 'rake', 4],
  ['rake', '', 4],
])('%s and %s are %i edits apart', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
});
