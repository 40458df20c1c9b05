import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readImportedFiles, sourceFiles } from '../helpers/code/source-files.ts';

const root = resolve(import.meta.dirname, '../..');

/** The areas of core, lowest first. A file imports only from its own area and from those above it in this list. */
const floors = [
  'contract',
  'base',
  'config',
  'tracing',
  'storage',
  'language',
  'models',
  'audit',
  'secrets',
  'backup',
  'workspaces',
  'limits',
  'queue',
  'webhooks',
  'knowledge',
  'metrics',
  'sources',
  'members',
  'conversations',
  'visitors',
  'answering',
  'evaluation',
  'tickets',
  'changes',
  'channels',
  'inbox',
  'answers',
  'insights',
  'live',
  'privacy',
  'health',
  'demo',
  'runtime',
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = sourceFiles(root).filter((file) => file.startsWith('core/'));
const imports = files.flatMap((from) => readImportedFiles(root, from).map((to): Import => ({ from, to })));

describe('the floors of core', () => {
  test('every area has its floor, and no file lies outside an area', () => {
    const areas = new Set(files.map(areaOf));
    expect([...areas].sort()).toEqual([...floors].sort());
  });

  test('imports go down only', () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.filter(goesUp)).toEqual([]);
  });

  test('an import of a higher floor is found', () => {
    expect(goesUp({ from: 'core/storage/database.ts', to: 'core/inbox/desk.ts' })).toBe(true);
    expect(goesUp({ from: 'core/inbox/desk.ts', to: 'core/storage/database.ts' })).toBe(false);
  });
});

function goesUp({ from, to }: Import): boolean {
  return floors.indexOf(areaOf(to)) > floors.indexOf(areaOf(from));
}

/** The folder below core. A file that lies in core itself has no area. */
function areaOf(file: string): string {
  return file.split('/').length > 2 ? (file.split('/')[1] ?? '') : file;
}
