import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeSkipped } from '../../../../server/cli/sources/file-source.ts';
import { findSources } from '../../../../server/cli/sources/find-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));
const options = { allowPrivate: false };
const signal = new AbortController().signal;

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
}

describe('findSources', () => {
  test('finds the documents in a folder and reports the skipped entries with their reasons', async () => {
    write(
      'docs/b.md',
      'docs/a/index.html',
      'docs/a/index.md',
      'docs/logo.png',
      'docs/film.mp4',
      'docs/LICENSE',
      'docs/.git/x.md',
    );
    write('docs/node_modules/y/readme.md');
    symlinkSync(join(folder, 'docs'), join(folder, 'docs/round'));
    const { sources, skipped } = await findSources([join(folder, 'docs')], options);
    expect(sources.map(({ name }) => name.slice(folder.length))).toEqual([
      '/docs/a/index.html',
      '/docs/a/index.md',
      '/docs/b.md',
    ]);
    expect(describeSkipped(skipped).map((line) => line.replaceAll(`${folder}/docs/`, ''))).toEqual([
      'Skipped .git: hidden.',
      'Skipped LICENSE: no extension.',
      'Skipped film.mp4: unknown extension .mp4.',
      'Skipped logo.png: a picture.',
      'Skipped node_modules: a package folder.',
      'Skipped round: a symbolic link.',
    ]);
  });

  test('shortens long lists of skipped entries', () => {
    const skipped = Array.from({ length: 9 }, (_, at) => ({
      path: `${at}.png`,
      reason: 'unknown extension .png',
    }));
    expect(describeSkipped(skipped)).toEqual([
      'Skipped 0.png, 1.png, 2.png, 3.png, 4.png and 4 more: unknown extension .png.',
    ]);
  });

  test('gives files with the same name in different folders different names', async () => {
    write('docs/a/index.md', 'docs/b/index.md');
    const { sources } = await findSources([join(folder, 'docs/a/index.md'), join(folder, 'docs/b')], options);
    const names = await Promise.all(sources.map(async (source) => (await source.read(signal)).fileName));
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => name.endsWith(' › index.md') && !/[/]|[.][.]/.test(name))).toBe(true);
  });

  test('accepts a given file with any extension, unless it is too large', async () => {
    write('large.xyz');
    truncateSync(join(folder, 'large.xyz'), 26 * 2 ** 20);
    const { sources } = await findSources([join(folder, 'large.xyz')], options);
    await expect(sources[0]?.read(signal)).rejects.toMatchObject({ code: 'too_large' });
  });

  test('rejects a missing path before anything is added', async () => {
    await expect(findSources([folder, join(folder, 'none.md')], options)).rejects.toMatchObject({
      code: 'file_not_found',
      exitCode: 1,
    });
  });
});
