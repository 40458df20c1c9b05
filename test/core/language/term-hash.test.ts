import { expect, it } from 'vitest';
import { termHash } from '../../../core/language/tokens.ts';

it('is a signed 32-bit integer', () => {
  for (const token of ['rake', 'größe', '订单', '']) {
    const hash = termHash(token);
    expect(Number.isInteger(hash)).toBe(true);
    expect(hash).toBe(hash | 0);
  }
});

it('is FNV-1a, which stored indexes depend on', () => {
  expect(termHash('a')).toBe(0xe40c292c | 0);
});

it('differs between tokens', () => {
  expect(new Set(['rake', 'rakes', 'kare', 'bake'].map(termHash)).size).toBe(4);
});
