import { expect, it } from 'vitest';
import { termHash } from '../../../core/knowledge/text/tokens.ts';

it('fits a signed 32-bit column', () => {
  for (const token of ['rake', 'größe', '订单', '']) {
    const hash = termHash(token);
    expect(Number.isInteger(hash)).toBe(true);
    expect(hash).toBe(hash | 0);
  }
});

it('is FNV-1a, so that a stored index stays readable', () => {
  expect(termHash('a')).toBe(0xe40c292c | 0);
});

it('tells tokens apart', () => {
  expect(new Set(['rake', 'rakes', 'kare', 'bake'].map(termHash)).size).toBe(4);
});
