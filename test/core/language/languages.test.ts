import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../../../core/language/languages/index.ts';
import { listPaths, partRows, renderTable } from './part-table.ts';

const folder = resolve(import.meta.dirname, '../../../core/language');
const readme = join(folder, 'README.md');
const begin = '<!-- parts: written by RECORD_LANGUAGES=true npx vitest run test/core/language -->\n';
const end = '\n<!-- end of parts -->';

describe('the languages', () => {
  test('each has a folder of its own, and each folder is in the registry', () => {
    const folders = readdirSync(join(folder, 'languages'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(languages.map(({ code }) => code).sort()).toEqual(folders.sort());
  });

  test('every part of every language has a row in the table', () => {
    const known = partRows.map(({ path }) => path);
    const unknown = languages.flatMap((language) =>
      listPaths(language).filter((path) => !known.includes(path)),
    );
    expect(unknown).toEqual([]);
    const used = new Set(languages.flatMap(listPaths));
    expect(known.filter((path) => !used.has(path))).toEqual([]);
  });

  test('the README shows which language has which part', () => {
    const text = readFileSync(readme, 'utf8');
    const [before = '', rest = ''] = text.split(begin);
    const [, after = ''] = rest.split(end);
    const wanted = `${before}${begin}\n${renderTable(languages)}\n${end}${after}`;
    if (process.env.RECORD_LANGUAGES === 'true') writeFileSync(readme, wanted);
    else expect(text).toBe(wanted);
  });

  test('English has every text', () => {
    const texts = partRows.map(({ path }) => path).filter((path) => path.startsWith('texts.'));
    const english = languages.find(({ code }) => code === 'en');
    expect(english).toBeDefined();
    if (english !== undefined) expect(listPaths(english)).toEqual(expect.arrayContaining(texts));
  });
});
