import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newChannel } from '../helpers/generators/new-channel.ts';

const root = resolve(import.meta.dirname, '../..');

/** What the generator reads of the project, in a folder of its own. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-new-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'connectors'));
  cpSync(join(root, 'connectors/registry.ts'), join(folder, 'connectors/registry.ts'));
  cpSync(join(root, 'server/docs/examples'), join(folder, 'server/docs/examples'), { recursive: true });
  return folder;
}

test('a new channel is the example under its own name, and its line in the registry', () => {
  const folder = copyProject();
  expect(newChannel(folder, 'matrix')).toEqual([
    'connectors/matrix/README.md',
    'connectors/matrix/about.ts',
    'connectors/matrix/api-client.ts',
    'connectors/matrix/manifest.ts',
    'connectors/matrix/matrix.ts',
    'connectors/registry.ts',
    'test/connectors/matrix/contract-hooks.ts',
  ]);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const registry = read('connectors/registry.ts');
  expect(registry).toContain("import { matrix } from './matrix/matrix.ts';");
  expect(registry.match(/defineConnector\(matrix\),\n\];/u)).not.toBeNull();
  for (const file of ['matrix/matrix.ts', 'matrix/manifest.ts', 'matrix/about.ts', 'matrix/README.md'])
    expect(read(`connectors/${file}`)).not.toMatch(/echo/iu);
  // Its imports lead to files that are there, or to its own.
  for (const file of ['connectors/matrix/matrix.ts', 'test/connectors/matrix/contract-hooks.ts']) {
    const imports = [...read(file).matchAll(/from '(\..+)'/gu)].map(([, path = '']) => path);
    const missing = imports.filter(
      (path) => ![folder, root].some((place) => existsSync(join(place, file, '..', path))),
    );
    expect(missing).toEqual([]);
  }
});

test('a name that is none, or is in use, writes nothing', () => {
  const folder = copyProject();
  expect(newChannel(folder, '../evil')).toContain('small letters');
  expect(newChannel(folder, 'matrix')).toHaveLength(7);
  expect(newChannel(folder, 'matrix')).toBe('There is a folder connectors/matrix already.');
});
