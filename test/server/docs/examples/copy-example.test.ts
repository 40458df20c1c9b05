import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyExample } from '../../../helpers/generators/copy-example.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** Copies what the generators read of the project into a folder of its own. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-new-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = [
    'connectors/registry.ts',
    'core/sources/source-kinds.ts',
    'core/answering/skills/built-in-skills.ts',
    'server/docs/examples',
    'test/server/docs/examples',
  ];
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true });
  return folder;
}

test.each([
  [
    'channel',
    'matrix',
    ['connectors/matrix/matrix.ts', 'test/connectors/matrix/contract-hooks.ts'],
    ["import { matrix } from './matrix/matrix.ts';", '  defineConnector(matrix),\n];'],
  ],
  [
    'source',
    'book-stack',
    ['core/sources/tools/book-stack.ts', 'test/core/sources/tools/book-stack.test.ts'],
    [
      'export const bookStackKind = toolKind',
      "import { bookStackKind } from './tools/book-stack.ts';",
      '    bookStackKind,\n  ];',
    ],
  ],
  [
    'skill',
    'say-time',
    ['core/answering/skills/say-time/say-time.ts', 'test/core/answering/skills/say-time.test.ts'],
    [
      "import { sayTime } from './say-time/say-time.ts';",
      "'say_time', humanSkill] as const",
      'sayTime()].filter',
    ],
  ],
] as const)(
  'a new %s is the example under its own name, and a line in the registry',
  (kind, name, files, lines) => {
    const folder = copyProject();
    const written = copyExample(folder, kind, name);
    expect(written).toEqual(expect.arrayContaining([...files]));
    const texts = [...written].map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
    const all = texts.map(([, text]) => text).join('\n');
    for (const line of lines) expect(all).toContain(line);
    for (const [file, text] of texts.filter(([path]) => files.some((own) => own === path))) {
      expect(text, file).not.toMatch(/echo|shelf|tell.?today/iu);
      const imports = [...text.matchAll(/from '(\..+)'/gu)].map(([, path = '']) => path);
      const missing = imports.filter(
        (path) => ![folder, root].some((place) => existsSync(join(place, file, '..', path))),
      );
      expect(missing, file).toEqual([]);
    }
  },
);

test('a name that is none, or is in use, writes nothing', () => {
  const folder = copyProject();
  for (const name of ['../evil', 'A', 'x', '-a', 'a--b', 'a'.repeat(31)])
    expect(copyExample(folder, 'channel', name)).toContain('small letters');
  expect(copyExample(folder, 'channel', 'matrix')).toHaveLength(7);
  expect(copyExample(folder, 'channel', 'matrix')).toBe(
    'There is a file connectors/matrix/about.ts already.',
  );
  expect(copyExample(folder, 'channel', 'two-words')).toBe('The name of a channel is one word.');
  expect(copyExample(folder, 'unknown', 'matrix')).toBe('There is no generator of a unknown.');
});
