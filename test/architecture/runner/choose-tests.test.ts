import { expect, test } from 'vitest';
import { chooseTests } from '../../helpers/runner/choose-tests.ts';

const imports: Readonly<Record<string, readonly string[]>> = {
  'test/server/pages.test.ts': ['core/base/pagination.ts'],
  'test/server/keys.test.ts': ['core/workspaces/keys/api-keys.ts'],
};
const files = [
  'core/base/pagination.ts',
  'core/workspaces/keys/api-keys.ts',
  'test/architecture/house.test.ts',
  'test/architecture/walk.test.ts',
  'test/core/base/pagination.test.ts',
  'test/server/keys.test.ts',
  'test/server/pages.test.ts',
];
const choose = (changed: readonly string[]) =>
  chooseTests({ changed, files, importsOf: (file) => imports[file] ?? [] });

test('a changed file chooses its mirror, the tests that import it, and the rules of the house', () => {
  expect(choose(['core/base/pagination.ts'])).toEqual([
    'test/architecture/house.test.ts',
    'test/core/base/pagination.test.ts',
    'test/server/pages.test.ts',
  ]);
});

test('a changed test chooses itself', () => {
  expect(choose(['test/server/keys.test.ts'])).toContain('test/server/keys.test.ts');
});

test('a change of texts alone chooses no test', () => {
  expect(choose(['README.md'])).toEqual([]);
});
