import { expect, test } from 'vitest';
import { isDeeperThan } from '../../../server/plugins/request-input.ts';

test('counts levels, not brackets', () => {
  const deep = `${'[{"a":'.repeat(5)}1${'}]'.repeat(5)}`;
  expect(isDeeperThan(deep, 10)).toBe(false);
  expect(isDeeperThan(deep, 9)).toBe(true);
  expect(isDeeperThan(`[${'[],{},'.repeat(50)}0]`, 2)).toBe(false);
});

test('ignores brackets in strings, also after escapes', () => {
  expect(isDeeperThan('["[[[[[[[[[[","\\"[[[[[[[[[[","\\\\"]', 1)).toBe(false);
  expect(isDeeperThan('["\\\\",[[[]]],"a string of some length"]', 3)).toBe(true);
});
