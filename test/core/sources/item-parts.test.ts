import { describe, expect, test } from 'vitest';
import { SourceNotices } from '../../../core/sources/notices/source-notices.ts';
import { ItemError, type KnownItem, type ReadResult } from '../../../core/sources/source-reader.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('what belongs to an item of a source, on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  /** A page with a file, and a file of that file: `page`, `file`, `inner`. */
  async function open() {
    const bench = new SourceBench(database);
    const { site } = bench;
    const versions = new Map([
      ['page', '1'],
      ['file', '1'],
      ['inner', '1'],
    ]);
    const parts = new Map([
      ['page', ['file']],
      ['file', ['inner']],
    ]);
    const content = ({ key }: KnownItem): ReadResult => ({
      ...{ kind: 'content', bytes: Buffer.from(`Text of ${key} ${versions.get(key)}.`) },
      ...{ contentType: 'text/plain', title: `Title of ${key}` },
      parts: (parts.get(key) ?? []).map((part) => ({
        ...{ key: part, version: versions.get(part) ?? '' },
        partOf: key,
      })),
      partsLeftOut:
        key === 'page' ? [{ key: 'zip', partOf: key, code: 'unknown_format', reason: 'No.' }] : [],
    });
    for (const key of versions.keys()) site.troubles.set(key, content);
    const list = () => site.set('page', 'x', { version: versions.get('page') ?? '' });
    list();
    site.set('other', 'Other text.', { version: '1' });
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId);
    const run = async () => {
      list();
      await bench.run(workspaceId, id);
      await bench.index(workspaceId);
      return bench.counts(workspaceId, id);
    };
    return { bench, site, versions, parts, workspaceId, id, run };
  }

  test('is read in the same run, and stays as long as the item does not change', async () => {
    const { bench, workspaceId, id, run } = await open();
    expect(await run()).toMatchObject({ listed: 4, added: 4 });
    const documents = ['file 1', 'inner 1', 'other 1', 'page 1'];
    expect(await bench.titles(workspaceId)).toEqual(documents);
    for (let again = 0; again < 3; again += 1) {
      expect(await run()).toMatchObject({ listed: 4, unchanged: 4 });
      expect(bench.site.reads).toEqual([]);
    }
    expect(await bench.titles(workspaceId)).toEqual(documents);
    expect(await bench.states(id)).toContain('zip skipped unknown_format');
  });

  test('is read again alone if it alone has changed', async () => {
    const { bench, versions, workspaceId, run } = await open();
    await run();
    versions.set('page', '2');
    versions.set('inner', '2');
    versions.set('file', '2');
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['file 2', 'inner 2', 'other 1', 'page 2']);
    versions.set('page', '3');
    await run();
    expect(bench.site.reads).toEqual(['page']);
  });

  test('goes once two readings of the item do not name it', async () => {
    const { bench, versions, parts, workspaceId, run } = await open();
    await run();
    parts.set('page', []);
    versions.set('page', '2');
    await run();
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['other 1', 'page 2']);
  });

  test('is left out at once with an item that is left out', async () => {
    const { bench, site, versions, workspaceId, id, run } = await open();
    await run();
    site.troubles.set('page', () => ({
      kind: 'skipped',
      code: 'restricted',
      reason: 'Only some may see it.',
    }));
    versions.set('page', '2');
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['other 1']);
    expect(await bench.states(id)).toEqual(
      expect.arrayContaining(['file skipped part_left_out', 'inner skipped part_left_out']),
    );
  });

  test('is left out at once with an item that is named as changed and left out', async () => {
    const { bench, site, workspaceId, id, run } = await open();
    await run();
    const { clock, log } = bench.dependencies;
    const notices = new SourceNotices({ database: database.kysely, clock, queue: bench.queue, log });
    site.troubles.set('page', () => ({
      kind: 'skipped',
      code: 'restricted',
      reason: 'Only some may see it.',
    }));
    await notices.take({ workspaceId, id, startedBy: 'Ann' }, [{ name: 'page' }]);
    await bench.work();
    expect(await bench.titles(workspaceId)).toEqual(['other 1']);
  });

  test('is left out at once with an item that the list leaves out', async () => {
    const { bench, site, workspaceId, id } = await open();
    await bench.run(workspaceId, id);
    site.pages.delete('page');
    site.leftOut.push({ key: 'page', code: 'draft', reason: 'It is a draft.' });
    await bench.run(workspaceId, id);
    expect(await bench.titles(workspaceId)).toEqual(['other 1']);
  });

  test('stays if the item cannot be read, and is tried again by itself', async () => {
    const { bench, site, versions, workspaceId, id, run } = await open();
    const read = site.troubles.get('file');
    const failing = () => {
      throw new ItemError('tool_down', 'The tool has a failure.');
    };
    site.troubles.set('file', failing);
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['other 1', 'page 1']);
    if (read !== undefined) site.troubles.set('file', read);
    await run();
    expect(await bench.titles(workspaceId)).toEqual(['file 1', 'inner 1', 'other 1', 'page 1']);
    site.troubles.set('page', failing);
    versions.set('page', '2');
    for (let again = 0; again < 3; again += 1) await run();
    expect(await bench.titles(workspaceId)).toEqual(['file 1', 'inner 1', 'other 1', 'page 1']);
    expect(await bench.states(id)).toContain('page failed tool_down');
  });
});
