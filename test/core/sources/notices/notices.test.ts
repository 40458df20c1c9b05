import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../../core/contract/actor.ts';
import { startNoticeRuns } from '../../../../core/sources/notices/notice-rows.ts';
import { SourceNotices } from '../../../../core/sources/notices/source-notices.ts';
import { runSlice } from '../../../../core/sources/runs/run-slice.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const words = ['amber', 'birch', 'cedar', 'daisy', 'elder', 'fern', 'gorse', 'hazel', 'iris', 'juniper'];
const text = (key: string) => {
  const [tens = 0, ones = 0] = [...key.slice(-2)].map(Number);
  return `The ${words[tens]} explains the ${words[ones]} on ${key}. `.repeat(10);
};
const actor = namedActor('Ann');

describe.each(testEngines)('items that are named as changed, on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open(count = 6) {
    const bench = new SourceBench(database);
    bench.site.pageSize = 100;
    const keys = Array.from({ length: count }, (_, at) => `page-${String(at).padStart(2, '0')}`);
    for (const key of keys) {
      bench.site.set(key, text(key), { version: '1', url: `https://acme.example/${key}` });
    }
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, { maxItems: 1_000, exclude: ['/secret/**'] });
    await bench.run(workspaceId, id);
    await bench.index(workspaceId);
    bench.site.reads.length = 0;
    const { clock, log } = bench.dependencies;
    const notices = new SourceNotices({ database: database.kysely, clock, queue: bench.queue, log });
    return {
      ...{ bench, workspaceId, id, keys, notices },
      name: (names: readonly string[], more = {}) =>
        notices.take(
          { workspaceId, id, startedBy: 'Ann' },
          names.map((name) => ({ name, ...more })),
        ),
      run: () => bench.run(workspaceId, id),
      source: () => bench.sources.get(workspaceId, id),
      lastPartial: () =>
        database.kysely
          .selectFrom('source_run')
          .selectAll()
          .where('source_id', '=', id)
          .where('is_partial', '=', true)
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow(),
    };
  }

  test('a changed page is read at once by its key or address, and nothing else is', async () => {
    const { bench, workspaceId, name, lastPartial } = await open();
    bench.site.set('page-01', 'Another text.', { version: '1' });
    expect(await name(['https://acme.example/page-01', 'page-01', 'page-01'])).toEqual({
      ...{ taken: 1, leftOut: [] },
    });
    await bench.work();
    expect(bench.site.reads).toEqual(['page-01']);
    expect(bench.site.lists).toBe(1);
    expect(await bench.titles(workspaceId)).toContain('page-01 2');
    expect(await lastPartial()).toMatchObject({
      state: 'finished',
      listed: 1,
      changed: 1,
      verdict: 'plausible',
    });
  });

  test('strangers, excluded items and those deleted by hand are left out', async () => {
    const { bench, workspaceId, name } = await open();
    bench.site.set('hidden', 'Hidden.', { url: 'https://acme.example/secret/hidden' });
    const { items } = await bench.documents.list(workspaceId, { limit: 100 });
    const one = items.find(({ title }) => title === 'Title of page-02');
    await bench.documents.delete(workspaceId, one?.id ?? '', { actor });
    expect(await name(['nowhere', 'page-02'])).toEqual({
      taken: 0,
      leftOut: [
        { name: 'nowhere', code: 'unknown_item' },
        { name: 'page-02', code: 'deleted_by_hand' },
      ],
    });
    expect(bench.jobs).toEqual([]);
  });

  test('one that is named while another run goes is read before that run is over, and both end', async () => {
    const { bench, workspaceId, id, name, source } = await open();
    bench.site.set('page-05', 'Changed meanwhile.', { version: '1' });
    for (const key of ['page-00', 'page-01']) bench.site.set(key, `New text of ${key}.`, { version: '2' });
    await bench.sources.run({ workspaceId, id, actor });
    const [whole] = bench.jobs.splice(0);
    if (whole === undefined) throw new TypeError('no job');
    // A slice without time lists nothing yet: the run is open.
    await runSlice({ ...bench.dependencies, sliceMs: 0 }, whole, new AbortController().signal);
    const rest = bench.jobs.splice(0);
    await name(['page-05']);
    await bench.work();
    expect(bench.site.reads).toEqual(['page-05']);
    expect(await bench.titles(workspaceId)).toContain('page-05 2');
    expect((await source()).lastRun).toMatchObject({ state: 'running', isPartial: false });
    bench.jobs.push(...rest);
    await bench.work();
    expect((await source()).lastRun).toMatchObject({ state: 'finished' });
    expect(await bench.titles(workspaceId)).toEqual([
      ...['page-00 2', 'page-01 2', 'page-02 1', 'page-03 1', 'page-04 1', 'page-05 2'],
    ]);
  });

  test('content that a run has read before is not put over what was named later', async () => {
    const { bench, workspaceId, id, keys, name } = await open();
    bench.site.set('page-03', 'Older change.', { version: '2' });
    await bench.sources.run({ workspaceId, id, actor });
    const [whole] = bench.jobs.splice(0);
    if (whole === undefined) throw new TypeError('no job');
    const stopping = new AbortController();
    // The run reads the older change, and is stopped at the item after it.
    bench.site.set('page-04', 'Also new.', { version: '2' });
    bench.site.troubles.set('page-04', () => {
      stopping.abort();
      throw new Error('stopped');
    });
    await runSlice(bench.dependencies, whole, stopping.signal);
    const rest = bench.jobs.splice(0);
    bench.site.troubles.clear();
    bench.site.set('page-03', 'Newest text.', { version: '3' });
    await name(['page-03']);
    await bench.work();
    bench.jobs.push(...rest);
    await bench.work();
    const items = await bench.items(id);
    expect(items.find(({ key }) => key === 'page-03')).toMatchObject({ size: 'Newest text.'.length });
    expect(await bench.titles(workspaceId)).toHaveLength(keys.length);
  });

  test('a reading that took longer than that of a named change is done again', async () => {
    const { bench, workspaceId, id, name } = await open();
    bench.site.set('page-03', 'Older change.', { version: '2' });
    await bench.sources.run({ workspaceId, id, actor });
    const jobs = bench.jobs.splice(0);
    bench.site.troubles.set('page-03', async () => {
      bench.site.troubles.clear();
      bench.site.set('page-03', 'Newest text.', { version: '3' });
      await name(['page-03']);
      await bench.work();
      return { kind: 'content', bytes: Buffer.from('Older change.'), contentType: 'text/markdown' };
    });
    bench.jobs.push(...jobs);
    await bench.work();
    expect((await bench.lastRun(workspaceId, id)).counts).toMatchObject({ unchanged: 6, failed: 0 });
    const items = await bench.items(id);
    expect(items.find(({ key }) => key === 'page-03')).toMatchObject({ size: 'Newest text.'.length });
  });

  test('a deletion is checked: what still answers stays, what is gone is removed at once', async () => {
    const { bench, workspaceId, name } = await open();
    bench.site.pages.delete('page-04');
    await name(['page-03', 'page-04'], { isDeletion: true });
    await bench.work();
    expect(await bench.titles(workspaceId)).toEqual([
      ...['page-00 1', 'page-01 1', 'page-02 1', 'page-03 1', 'page-05 1'],
    ]);
  });

  test('a changed page that is missing is left to the next run', async () => {
    const { bench, workspaceId, name, run } = await open();
    bench.site.pages.delete('page-04');
    await name(['page-04']);
    await bench.work();
    expect(await bench.titles(workspaceId)).toContain('page-04 1');
    await run();
    await run();
    expect(await bench.titles(workspaceId)).not.toContain('page-04 1');
  });

  test('300 deletions are held, also if they are named a few at a time', async () => {
    const { bench, workspaceId, id, keys, name, source } = await open(60);
    for (const key of keys.slice(0, 40)) bench.site.pages.delete(key);
    for (let at = 0; at < 40; at += 4) {
      bench.now = new Date(bench.now.getTime() + 60_000);
      await name(keys.slice(at, at + 4), { isDeletion: true });
      await bench.work();
    }
    const { state, hold, documents } = await source();
    expect(state).toBe('held');
    expect(hold?.rules).toEqual(['pages_gone']);
    // A fifth of 60 may go.
    expect(documents).toBe(48);
    expect(await bench.titles(workspaceId)).toHaveLength(48);
    await bench.sources.discard({ workspaceId, id, actor });
    expect((await source()).documents).toBe(48);
  });

  test('pages that become the same text are held', async () => {
    const { bench, keys, name, source, lastPartial } = await open(20);
    for (const key of keys) bench.site.set(key, 'Please sign in to read this page.', { version: '1' });
    await name(keys);
    await bench.work();
    expect((await source()).state).toBe('held');
    expect(await lastPartial()).toMatchObject({ state: 'held', changed: 20 });
  });

  test('a few changes neither release nor replace a whole run that is held', async () => {
    const { bench, workspaceId, id, keys, name, run, source } = await open(40);
    bench.site.confirmsMissing = true;
    for (const key of keys.slice(0, 20)) bench.site.pages.delete(key);
    await run();
    const before = await source();
    expect(before.state).toBe('held');
    bench.site.set('page-39', 'A change meanwhile.', { version: '1' });
    await name(['page-39']);
    await bench.work();
    expect(await bench.titles(workspaceId)).toContain('page-39 2');
    expect((await source()).hold).toEqual(before.hold);
    await bench.sources.apply({ workspaceId, id, actor });
    await bench.work();
    expect((await source()).documents).toBe(20);
  });

  test('more than a run takes are read by runs one after the other', async () => {
    const { bench, keys, name } = await open(130);
    await name(keys);
    await bench.work();
    expect(bench.site.reads.sort()).toEqual(keys.toSorted());
  });

  test('a start that was lost is made up by maintenance', async () => {
    const { bench, id, name } = await open();
    await name(['page-01']);
    bench.jobs.length = 0;
    await database.kysely
      .updateTable('source_run')
      .set({ state: 'cancelled', finished_at: bench.now })
      .where('source_id', '=', id)
      .where('is_partial', '=', true)
      .execute();
    const { log } = bench.dependencies;
    await startNoticeRuns(database.kysely, { now: bench.now, queue: bench.queue, log });
    await bench.work();
    expect(bench.site.reads).toEqual(['page-01']);
  });

  test('calls are limited, and a paused source takes none', async () => {
    const { workspaceId, id, bench, name } = await open();
    for (let call = 0; call < 30; call += 1) await name(['page-01']);
    await expect(name(['page-01'])).rejects.toMatchObject({ code: 'rate_limit_minute' });
    bench.now = new Date(bench.now.getTime() + 60_000);
    await bench.sources.pause({ workspaceId, id, actor });
    await expect(name(['page-01'])).rejects.toMatchObject({ code: 'source_paused' });
  });
});
