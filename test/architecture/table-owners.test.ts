import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from '../helpers/code/source-files.ts';

const root = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Tables that two areas write, with the reason. All others have one owner. This list only gets shorter. */
const shared: Readonly<Record<string, string>> = {
  owner_usage: 'a turn and its count are one statement, as a crash between two would lose one',
  document: 'a workspace that is deleted marks its documents as deleted in the same transaction',
  source_item: 'a change to a document by hand releases it from its source in the same transaction',
  key_in_flight: 'a process that ends removes the requests that it counted',
  api_key: 'the outcomes of a key and its last use are one statement',
};

const block = /export interface Tables \{([\s\S]*?)\n\}/.exec(textOf('core/storage/tables/tables.ts'))?.[1];
const tables = [...(block ?? '').matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);

const sources = sourceFiles(root).filter((file) => /^(core|connectors|server|workers)\//.test(file));

describe('the owners of tables', () => {
  test('one area of core inserts, updates and deletes the rows of a table', () => {
    expect(tables.length).toBeGreaterThan(60);
    const areas = new Map<string, Set<string>>();
    for (const file of sources) {
      for (const table of writtenTables(textOf(file))) {
        areas.set(table, (areas.get(table) ?? new Set()).add(file.split('/').slice(0, 2).join('/')));
      }
    }
    const several = [...areas].filter(([, writers]) => writers.size > 1);
    expect(several.filter(([table]) => !(table in shared))).toEqual([]);
    expect(Object.keys(shared).filter((table) => !several.some(([name]) => name === table))).toEqual([]);
    const outside = [...areas].filter(([, writers]) =>
      [...writers].some((area) => !area.startsWith('core/')),
    );
    expect(outside).toEqual([]);
  });

  test('workers hold decisions and no statements', () => {
    const workers = sources.filter((file) => file.startsWith('workers/'));
    expect(workers.filter((file) => hasStatement(textOf(file)))).toEqual([]);
  });

  test('a planted statement is found', () => {
    const planted = "sql`\n  update conversation set status = 'open'\n`";
    expect(hasStatement(planted)).toBe(true);
    expect(writtenTables(planted)).toEqual(['conversation']);
    expect(writtenTables("database.insertInto('note')")).toEqual(['note']);
    expect(writtenTables('select from note for update')).toEqual([]);
  });
});

function hasStatement(text: string): boolean {
  return /\bsql(?:<[^`]*>)?`|\.(?:insertInto|updateTable|deleteFrom|selectFrom)\(/.test(text);
}

function writtenTables(text: string): readonly string[] {
  const built = text.matchAll(/(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g);
  const written = text.matchAll(/(?:insert into|delete from|(?<!for |for no key |do )update)\s+(\w+)/g);
  return [...built, ...written].flatMap(([, name = '']) => (tables.includes(name) ? [name] : []));
}
