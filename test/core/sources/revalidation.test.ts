import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../core/contract/actor.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const dayMs = 86_400_000;
const keys = Array.from({ length: 40 }, (_, at) => `page-${String(at).padStart(2, '0')}`);

describe.each(testEngines)('versions that a website claims, on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open(scheduleMinutes: number | null) {
    const bench = new SourceBench(database);
    bench.site.hasClaimedVersions = true;
    bench.site.pageSize = 100;
    for (const key of keys) bench.site.set(key, `Text of ${key}.`, { version: '2026-01-01' });
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, { scheduleMinutes });
    await bench.run(workspaceId, id);
    await bench.index(workspaceId);
    const source = () => bench.sources.get(workspaceId, id);
    const pass = (ms: number) => {
      bench.now = new Date(bench.now.getTime() + ms);
    };
    return {
      bench,
      workspaceId,
      id,
      source,
      pass,
      run: (options = {}) => bench.run(workspaceId, id, options),
    };
  }

  test('each page is read within a week, a share of them at each run', async () => {
    const { bench, run, pass } = await open(1_440);
    const lastRead = new Map(keys.map((key) => [key, 0]));
    for (let day = 1; day <= 21; day += 1) {
      pass(dayMs - 3_600_000);
      await run();
      expect(bench.site.reads.length).toBeLessThan(keys.length / 2);
      for (const key of bench.site.reads) lastRead.set(key, day);
      for (const [key, read] of lastRead) expect([key, day - read < 7]).toEqual([key, true]);
    }
  });

  test('where the next run is a week away, each run reads every page', async () => {
    const { bench, run } = await open(10_080);
    await run();
    expect(bench.site.reads).toHaveLength(keys.length);
  });

  test('where nobody knows when the next run is, each run reads every page', async () => {
    const { bench, run } = await open(null);
    await run();
    expect(bench.site.reads).toHaveLength(keys.length);
  });

  test('pages with a new version come first', async () => {
    const { bench, run } = await open(null);
    bench.site.set('page-39', 'New text.', { version: '2026-02-01' });
    await run();
    expect(bench.site.reads[0]).toBe('page-39');
  });

  test('a page that changed under its old version costs the source its trust: every page is read at each run', async () => {
    const { bench, run, pass, source } = await open(1_440);
    bench.site.set('page-07', 'A lie.', { version: '2026-01-01' });
    for (let day = 1; day <= 7 && (await source()).lastmodDistrust === null; day += 1) {
      pass(dayMs - 3_600_000);
      await run();
    }
    expect((await source()).lastmodDistrust).toMatchObject({ sample: 'page-07' });
    await run();
    expect(bench.site.reads).toHaveLength(keys.length);
    await bench.sources.change(
      { workspaceId: (await source()).workspaceId, id: (await source()).id, actor: namedActor('Ann') },
      { settings: { site: 'main' }, credentials: { token: 'right-token' } },
    );
    expect((await source()).lastmodDistrust).toBeNull();
  });

  test('a change that comes with a new version costs no trust', async () => {
    const { bench, run, source } = await open(null);
    bench.site.set('page-07', 'News.', { version: '2026-02-01' });
    await run();
    expect((await source()).lastmodDistrust).toBeNull();
  });

  test('a full run reads every page without conditions, also where versions are certain', async () => {
    const { bench, run, workspaceId, id } = await open(1_440);
    bench.site.hasClaimedVersions = false;
    await run();
    expect(bench.site.reads).toEqual([]);
    const validators: unknown[] = [];
    bench.site.troubles.set('page-00', (item) => {
      validators.push(item.validators);
      return { kind: 'unchanged' };
    });
    expect(await run({ isFull: true })).toMatchObject({ isFull: true, counts: { unchanged: keys.length } });
    expect(bench.site.reads).toHaveLength(keys.length);
    expect(validators).toEqual([null]);
    expect(await bench.titles(workspaceId)).toContain('page-00 1');
    expect((await bench.sources.get(workspaceId, id)).state).toBe('in_step');
  });
});
