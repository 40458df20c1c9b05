import { expect, test } from 'vitest';
import { isNestedDeeper } from '../../../server/plugins/request-input.ts';

test('levels are counted, not brackets', () => {
  const deep = `${'[{"a":'.repeat(5)}1${'}]'.repeat(5)}`;
  expect(isNestedDeeper(deep, 10)).toBe(false);
  expect(isNestedDeeper(deep, 9)).toBe(true);
  expect(isNestedDeeper(`[${'[],{},'.repeat(50)}0]`, 2)).toBe(false);
});

test('brackets in strings count for nothing, behind escapes neither', () => {
  expect(isNestedDeeper('["[[[[[[[[[[","\\"[[[[[[[[[[","\\\\"]', 1)).toBe(false);
  expect(isNestedDeeper('["\\\\",[[[]]],"a string of some length"]', 3)).toBe(true);
});
