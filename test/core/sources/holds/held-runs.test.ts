import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../../core/contract/actor.ts';
import { runSlice } from '../../../../core/sources/runs/run-slice.ts';
import { SourceError } from '../../../../core/sources/source-reader.ts';
import { SourceBench } from '../../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const pages = 30;
const words = ['amber', 'birch', 'cedar', 'daisy', 'elder', 'fern', 'gorse', 'hazel', 'iris', 'juniper'];
/** Each page has words of its own. */
const text = (key: string) => {
  const [tens = 0, ones = 0] = [...key.slice(-2)].map(Number);
  return `The ${words[tens]} explains the ${words[ones]} on ${key}. `.repeat(20);
};
const actor = namedActor('Ann');

describe.each(testEngines)('runs that are held, on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open(count = pages) {
    const bench = new SourceBench(database);
    bench.site.pageSize = 100;
    const keys = Array.from({ length: count }, (_, at) => `page-${String(at).padStart(3, '0')}`);
    for (const key of keys) bench.site.set(key, text(key), { url: `https://acme.example/${key}` });
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, { maxItems: 1_000 });
    await bench.run(workspaceId, id);
    await bench.index(workspaceId);
    const source = () => bench.sources.get(workspaceId, id);
    return {
      ...{ bench, workspaceId, id, keys, source, target: { workspaceId, id, actor } },
      run: (options = {}) => bench.run(workspaceId, id, options),
      restore: () => {
        bench.site.troubles.clear();
        for (const key of keys) bench.site.set(key, text(key), { url: `https://acme.example/${key}` });
      },
      revisions: () =>
        database.kysely
          .selectFrom('document')
          .select(['status', 'wanted_revision'])
          .where('source_id', '=', id)
          .where('status', '<>', 'deleted')
          .execute(),
    };
  }

  type Bench = Awaited<ReturnType<typeof open>>;

  const lose = ({ bench, keys }: Bench, count: number) => {
    for (const key of keys.slice(0, count)) {
      bench.site.troubles.set(key, () => ({ kind: 'gone', isFinal: true }));
    }
  };
  const change = ({ bench, keys }: Bench, count: number, to: (key: string) => string) => {
    for (const key of keys.slice(0, count)) bench.site.set(key, to(key));
  };

  test('deletions of most pages are held, not done', async () => {
    const bench = await open(120);
    lose(bench, 75);
    expect(await bench.run()).toMatchObject({ state: 'held', code: 'implausible' });
    expect(await bench.revisions()).toHaveLength(120);
    const { state, hold, documents } = await bench.source();
    expect({ state, documents }).toEqual({ state: 'held', documents: 120 });
    expect(hold).toMatchObject({ rules: ['pages_gone'], removed: 75, changed: 0, kept: 45 });
    expect(hold?.samples).toHaveLength(20);
    expect(hold?.samples[0]).toMatchObject({
      ...{ effect: 'removed', title: 'Title of page-000', url: 'https://acme.example/page-000' },
      ...{ before: text('page-000').trim().length, after: null },
    });
  });

  test('a fifth may go', async () => {
    const bench = await open();
    lose(bench, pages / 5);
    expect(await bench.run()).toMatchObject({ state: 'finished' });
    expect(await bench.revisions()).toHaveLength((pages * 4) / 5);
  });

  test.each([
    ['a shell of each page', 'pages_shrunk', (key: string) => `Loading ${key.replace(/\D/g, '')}…`],
    ['the same long notice in place of each page', 'pages_alike', () => 'Please sign in first. '.repeat(40)],
  ])('%s is held, and no document is replaced', async (_, rule, shell) => {
    const bench = await open();
    change(bench, 25, shell);
    expect(await bench.run()).toMatchObject({ state: 'held' });
    const { hold } = await bench.source();
    expect(hold?.rules).toContain(rule);
    expect(hold).toMatchObject({ removed: 0, changed: 25, kept: 5 });
    expect(new Set((await bench.revisions()).map((row) => row.wanted_revision))).toEqual(new Set([1]));
  });

  test('a redesign that keeps the texts is published, document by document', async () => {
    const bench = await open();
    change(bench, pages, (key) => `${text(key)} In a new dress.`);
    expect(await bench.run()).toMatchObject({ state: 'finished', counts: { changed: pages } });
    const rows = await bench.revisions();
    expect(rows.every((row) => row.wanted_revision === 2 && row.status === 'queued')).toBe(true);
  });

  test('pages that differed in numbers only may still do so', async () => {
    const bench = await open();
    change(bench, pages, (key) => `Beam ${key} carries much. `.repeat(10));
    await bench.bench.sources.change(bench.target, { audience: ['staff'] });
    await bench.bench.work();
    await bench.bench.index(bench.workspaceId);
    change(bench, pages, (key) => `Beam ${key} carries more. `.repeat(10));
    expect(await bench.run()).toMatchObject({ state: 'finished', counts: { changed: pages } });
  });

  test('most pages that redirect to one, as to a sign-in, are held', async () => {
    const bench = await open();
    for (const key of bench.keys.slice(0, 25)) {
      bench.bench.site.troubles.set(key, () => ({ kind: 'moved', to: { key: 'sign-in' } }));
    }
    bench.bench.site.set('sign-in', 'Sign in.');
    expect(await bench.run()).toMatchObject({ state: 'held' });
    const { hold } = await bench.source();
    expect(hold).toMatchObject({ rules: ['pages_gone'], removed: 24, changed: 1 });
    expect(await bench.revisions()).toHaveLength(pages);
  });

  test('an owner applies what is held, once, and nothing is read for it', async () => {
    const bench = await open();
    lose(bench, 15);
    change({ ...bench, keys: bench.keys.slice(15) }, 3, (key) => `${text(key)} New.`);
    await bench.run();
    bench.bench.site.reads.length = 0;
    const lists = bench.bench.site.lists;
    await bench.bench.sources.apply(bench.target);
    await expect(bench.bench.sources.apply(bench.target)).rejects.toMatchObject({ code: 'source_not_held' });
    await bench.bench.work();
    const { state, hold, lastRun } = await bench.source();
    expect(lastRun).toMatchObject({ state: 'finished', holdOutcome: 'applied', counts: { removed: 15 } });
    expect({ state, hold }).toEqual({ state: 'catching_up', hold: null });
    expect(bench.bench.site.reads).toEqual([]);
    expect(bench.bench.site.lists).toBe(lists);
    const rows = await bench.revisions();
    expect(rows).toHaveLength(15);
    expect(rows.filter((row) => row.wanted_revision === 2)).toHaveLength(3);
  });

  test('an owner discards what is held, and a site that stays broken is held again after it was missed twice', async () => {
    const bench = await open();
    for (const key of bench.keys.slice(0, 15)) bench.bench.site.troubles.set(key, () => ({ kind: 'gone' }));
    expect(await bench.run()).toMatchObject({ state: 'finished' });
    expect(await bench.run()).toMatchObject({ state: 'held' });
    await bench.bench.sources.discard(bench.target);
    await expect(bench.bench.sources.discard(bench.target)).rejects.toMatchObject({
      code: 'source_not_held',
    });
    expect(await bench.source()).toMatchObject({ hold: null, lastRun: { holdOutcome: 'discarded' } });
    expect(await bench.revisions()).toHaveLength(pages);
    expect(await bench.run()).toMatchObject({ state: 'finished' });
    expect(await bench.run()).toMatchObject({ state: 'held' });
  });

  test('changes that were discarded are found again', async () => {
    const bench = await open();
    change(bench, 25, () => 'Loading…');
    await bench.run();
    await bench.bench.sources.discard(bench.target);
    expect(await bench.run()).toMatchObject({ state: 'held', counts: { changed: 25 } });
  });

  test('a later plausible run releases the hold by itself', async () => {
    const bench = await open();
    lose(bench, 15);
    change({ ...bench, keys: bench.keys.slice(15) }, 15, () => 'Loading…');
    expect(await bench.run()).toMatchObject({ state: 'held' });
    bench.restore();
    expect(await bench.run()).toMatchObject({ state: 'finished', code: null });
    expect(await bench.source()).toMatchObject({ state: 'in_step', hold: null, documents: pages });
    expect(new Set((await bench.revisions()).map((row) => row.wanted_revision))).toEqual(new Set([1]));
    const left = await database.kysely
      .selectFrom('source_change')
      .select('key')
      .where('source_id', '=', bench.id)
      .execute();
    expect(left).toEqual([]);
    await expect(bench.bench.sources.apply(bench.target)).rejects.toMatchObject({ code: 'source_not_held' });
  });

  test('a hold cannot be applied while the next run is going, and can after it failed', async () => {
    const bench = await open();
    lose(bench, 15);
    await bench.run();
    bench.bench.site.listError = new SourceError('source_refused', 'No.');
    await bench.bench.sources.run(bench.target);
    await expect(bench.bench.sources.apply(bench.target)).rejects.toMatchObject({ code: 'source_running' });
    await bench.bench.work();
    expect((await bench.source()).lastRun).toMatchObject({ state: 'failed' });
    expect((await bench.source()).state).toBe('held');
    await bench.bench.sources.apply(bench.target);
    await bench.bench.work();
    expect(await bench.revisions()).toHaveLength(15);
  });

  test('a page that is deleted by hand while its change is held stays deleted', async () => {
    const bench = await open();
    change(bench, 25, () => 'Loading…');
    await bench.run();
    const { items } = await bench.bench.documents.list(bench.workspaceId, { limit: 1, q: 'page-003' });
    await bench.bench.documents.delete(bench.workspaceId, items[0]?.id ?? '', { actor });
    await bench.bench.sources.apply(bench.target);
    await bench.bench.work();
    expect(await bench.revisions()).toHaveLength(pages - 1);
  });

  test('a process that dies after the verdict, and between two changes, repeats and loses nothing', async () => {
    const bench = await open();
    change(bench, pages, (key) => `${text(key)} New.`);
    const { documents } = bench.bench.dependencies;
    let added = 0;
    const dying: typeof documents = {
      delete: (...given) => documents.delete(...given),
      async add(wanted) {
        added += 1;
        const document = await documents.add(wanted);
        if (added === 10) throw new TypeError('the process died');
        return document;
      },
    };
    await bench.bench.sources.run(bench.target);
    const [job] = bench.bench.jobs.splice(0);
    if (job === undefined) throw new TypeError('no job was queued');
    const { signal } = new AbortController();
    const slice = runSlice({ ...bench.bench.dependencies, documents: dying }, job, signal);
    await expect(slice).rejects.toThrow('the process died');
    bench.bench.site.reads.length = 0;
    await runSlice(bench.bench.dependencies, job, signal);
    expect(bench.bench.site.reads).toEqual([]);
    expect(await bench.source()).toMatchObject({ lastRun: { state: 'finished' } });
    expect(new Set((await bench.revisions()).map((row) => row.wanted_revision))).toEqual(new Set([2]));
  });

  test('a run that fails in its middle publishes what it has read, and removes nothing', async () => {
    const bench = await open();
    change(bench, 3, (key) => `${text(key)} New.`);
    lose({ ...bench, keys: bench.keys.slice(3) }, 3);
    bench.bench.site.troubles.set('page-010', () => {
      throw new SourceError('source_refused', 'No more.');
    });
    expect(await bench.run()).toMatchObject({ state: 'failed' });
    const rows = await bench.revisions();
    expect(rows).toHaveLength(pages);
    expect(rows.filter((row) => row.wanted_revision === 2)).toHaveLength(3);
  });

  test('patterns and a change of the settings remove as many as they say', async () => {
    const bench = await open();
    await bench.bench.sources.change(bench.target, { exclude: ['/page-01*', '/page-02*'] });
    await bench.bench.work();
    expect((await bench.source()).lastRun).toMatchObject({ state: 'finished', counts: { removed: 20 } });
  });

  test('one webhook event tells of all runs in a row that are held', async () => {
    const bench = await open();
    const { workspaceId } = bench;
    await database.kysely
      .insertInto('webhook')
      .values({
        ...{ id: `wh_${workspaceId}`, workspace_id: workspaceId, url: 'https://acme.example/hook' },
        ...{ events: ['source.held'], secret_encrypted: '', created_at: new Date() },
      })
      .execute();
    lose(bench, 15);
    const woken: string[] = [];
    const scheduleDeliveries = (ids: readonly string[]) => void woken.push(...ids);
    await bench.run({ scheduleDeliveries });
    await bench.run({ scheduleDeliveries });
    const events = await database.kysely
      .selectFrom('webhook_delivery')
      .select(['id', 'event', 'data'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(events).toHaveLength(1);
    expect(woken).toEqual([events[0]?.id]);
    expect(events[0]).toMatchObject({
      event: 'source.held',
      data: { source_id: bench.id, removed: 15, changed: 0, kept: 15, rules: ['pages_gone'] },
    });
    bench.restore();
    await bench.run({ scheduleDeliveries });
    lose(bench, 15);
    await bench.run({ scheduleDeliveries });
    expect(woken).toHaveLength(2);
  });
});
