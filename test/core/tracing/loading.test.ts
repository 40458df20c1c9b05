import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../helpers/code/source-files.ts';

const root = resolve(import.meta.dirname, '../../..');
const sources = sourceFiles(root).filter((file) => /^(?:core|connectors|server|workers)\//.test(file));
const filesWith = (pattern: RegExp) =>
  sources.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));

test('without an endpoint no file about spans is loaded: others import types, and the runtime loads them by need', () => {
  const outside = filesWith(/tracing\/[\w-]+\.ts'/).filter((file) => !file.startsWith('core/tracing/'));
  expect(outside).toContain('core/answering/ask.ts');
  const loading = outside.filter((file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(
      /^import (\S+) [^;]*?tracing\/[\w-]+\.ts';/gm,
    );
    return [...imports].some(([, first]) => first !== 'type');
  });
  expect(loading).toEqual([]);
  expect(filesWith(/import\('[./]+tracing\//)).toEqual(['core/runtime/runtime.ts']);
});
