import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findDroppedPromises } from '../helpers/code/dropped-promises.ts';
import { emptyTestFolder } from '../helpers/stores/databases/test-data-folder.ts';

/** In a thread, a rejection without a handler ends the thread only: its owner is told and starts another. */
const threads = [
  'core/contract/threads.ts',
  'core/knowledge/embedding/embedding-thread.ts',
  'core/knowledge/read/read-worker.ts',
  'core/storage/embedded/pglite-thread.ts',
];

const root = resolve(import.meta.dirname, '../..');

test('no promise of the product is dropped: a rejection without a handler would end the process', () => {
  const isProduct = (file: string) =>
    /^(core|server|workers|connectors)\//.test(file) && !threads.includes(file);
  expect(findDroppedPromises(root, isProduct)).toEqual([]);
}, 300_000);

test.each([
  ['a promise as a statement', 'work();'],
  ['a promise behind void', 'void work();'],
  ['then without a handler for the rejection', 'work().then(() => {});'],
  ['finally behind void', 'void work().finally(() => {});'],
  ['finally that is kept', 'const kept = work().finally(() => {}); export { kept };'],
  ['a promise that may be there', 'maybe();'],
  ['several promises', '[1].map(async () => work());'],
  ['an asynchronous callback', 'setTimeout(async () => { await work(); }, 1);'],
  ['a callback that returns a promise', 'setTimeout(() => work(), 1);'],
])('the search finds %s', (_what, code) => {
  expect(findDroppedPromises(projectOf(code), () => true)).toHaveLength(1);
});

test.each([
  ['is awaited', 'await work();'],
  ['has a handler', 'work().catch(() => {}); work().then(() => {}, () => {}); void work().catch(() => {});'],
  ['cannot reject', 'void Promise.allSettled([work()]);'],
  ['is returned', 'export const cleaned = () => work().finally(() => {});'],
  ['is kept', 'export const kept = work();'],
  [
    'is returned to a caller that takes promises',
    'export const all = Promise.all([1].map(async () => work()));',
  ],
])('the search leaves alone what %s', (_what, code) => {
  expect(findDroppedPromises(projectOf(code), () => true)).toEqual([]);
});

function projectOf(code: string): string {
  const folder = emptyTestFolder();
  mkdirSync(folder, { recursive: true });
  const declared = [
    'declare function work(): Promise<number>;',
    'declare function maybe(): Promise<void> | void;',
    'declare function setTimeout(run: () => void, ms: number): void;',
  ];
  writeFileSync(join(folder, 'planted.ts'), `${declared.join('\n')}\n${code}\nexport {};\n`);
  const compilerOptions = { target: 'es2024', lib: ['es2024'], module: 'nodenext', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['planted.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}
