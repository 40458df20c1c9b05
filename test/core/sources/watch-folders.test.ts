import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { namedActor } from '../../../core/contract/actor.ts';
import { folderKind } from '../../../core/sources/folder/folder.ts';
import { watchFolders } from '../../../core/sources/folder/watch-folders.ts';
import type { NewSource } from '../../../core/sources/sources.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const base = mkdtempSync(join(tmpdir(), 'parley-watch-'));
const allowed = [join(base, 'allowed')];
afterAll(() => rmSync(base, { recursive: true }));

describe.each(testEngines)('a watched folder on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  let folders = 0;

  async function open({ processes = 1, maxFiles = 100 } = {}) {
    const bench = new SourceBench(database, [folderKind(allowed)]);
    // Sources of other tests are not watched.
    await database.kysely.updateTable('source').set({ paused_at: bench.now }).execute();
    const workspaceId = await bench.workspace();
    const { owner_id: ownerId } = await database.kysely
      .selectFrom('workspace')
      .select('owner_id')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const clock = { now: () => bench.now };
    const { log } = bench.dependencies;
    const watch = () => {
      const folders = allowed.map((path) => ({ ownerId, path }));
      const options = { database: database.kysely, clock, log, queue: bench.queue, allowed: folders };
      onTestFinished(watchFolders({ ...options, roundMs: 20, maxFiles }));
    };
    for (let each = 0; each < processes; each += 1) watch();
    /** Works on the run that a watcher started: its row is there before its job is. */
    const work = async () => {
      await expect.poll(() => bench.jobs.length).toBeGreaterThan(0);
      await bench.work();
    };
    /** A source of a folder of its own, and a function that writes a file into that. */
    const source = async (options: Partial<NewSource> = {}, place = 'allowed') => {
      folders += 1;
      const path = join(base, place, `${engine}-${folders}`);
      mkdirSync(join(path, 'deep'), { recursive: true });
      const fields = { kind: 'folder', settings: { path }, credentials: {}, scheduleMinutes: 60 };
      const id = await bench.create(workspaceId, { ...fields, ...options });
      let writes = 0;
      const write = (name = 'deep/hours.md') => {
        writes += 1;
        writeFileSync(join(path, name), `Open from nine. ${writes}`);
      };
      const runs = () =>
        database.kysely
          .selectFrom('source_run')
          .select(['number', 'started_by'])
          .where('source_id', '=', id)
          .orderBy('number')
          .execute();
      /**
       * Writes until a run is there: the folder is not watched from the first moment. The watcher may see the last write
       * later, which starts a further run once the clock has moved.
       */
      const changed = (number: number) =>
        expect
          .poll(async () => {
            write();
            return (await runs()).length;
          })
          .toBeGreaterThanOrEqual(number);
      return { id, write, runs, changed };
    };
    return { bench, workspaceId, source, watch, work };
  }

  test('starts a run when a file is written, and none for files that are left out', async () => {
    const { bench, workspaceId, source, work } = await open();
    const one = await source();
    const other = await source();
    await one.changed(1);
    expect(await one.runs()).toEqual([{ number: 1, started_by: 'change' }]);
    await work();
    expect(await bench.titles(workspaceId)).toEqual([expect.stringMatching(/^hours/iu)]);
    other.write('.hidden.md');
    bench.now = new Date(bench.now.getTime() + 1_000);
    await one.changed(2);
    expect(await other.runs()).toEqual([]);
  });

  test('starts one run, however many processes see the change', async () => {
    const { bench, source } = await open({ processes: 3 });
    const { changed, runs, id } = await source();
    const marker = await source();
    await changed(1);
    await database.kysely
      .updateTable('source_run')
      .set({ state: 'finished', finished_at: bench.now })
      .where('source_id', '=', id)
      .execute();
    await marker.changed(1);
    expect(await runs()).toHaveLength(1);
  });

  test('is read again after a run that was going when it changed', async () => {
    const { bench, workspaceId, source } = await open();
    const { write, runs, id } = await source({ run: true });
    const marker = await source();
    bench.now = new Date(bench.now.getTime() + 1_000);
    const going = bench.jobs.splice(0);
    write();
    await marker.changed(1);
    expect(await runs()).toHaveLength(1);
    bench.jobs.splice(0, 1, ...going);
    await bench.work();
    await expect.poll(async () => (await runs()).length).toBe(2);
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ startedBy: 'change' });
  });

  test('is read after a start if a file came while no process watched, and not otherwise', async () => {
    const { bench, workspaceId, source, watch, work } = await open({ processes: 0 });
    const [changed, same] = [await source(), await source()];
    for (const each of [changed, same]) {
      each.write();
      await bench.run(workspaceId, each.id);
      // The clock of the test is not that of the disk.
      await database.kysely
        .updateTable('source_run')
        .set({ created_at: new Date() })
        .where('source_id', '=', each.id)
        .execute();
    }
    changed.write('later.md');
    bench.now = new Date(Date.now() + 1_000);
    watch();
    await expect.poll(async () => (await changed.runs()).length).toBe(2);
    await work();
    expect(await bench.counts(workspaceId, changed.id)).toMatchObject({ listed: 2, added: 1 });
    expect(await same.runs()).toHaveLength(1);
  });

  test('is not watched while its source is paused, has no schedule, or is not allowed', async () => {
    const { bench, workspaceId, source } = await open();
    const paused = await source();
    await bench.sources.pause({ workspaceId, id: paused.id, actor: namedActor('Ann') });
    const byHand = await source({ scheduleMinutes: null });
    const outside = await source({}, 'outside');
    const marker = await source();
    for (const each of [paused, byHand, outside]) each.write();
    await marker.changed(1);
    for (const each of [paused, byHand, outside]) expect(await each.runs()).toEqual([]);
    await bench.sources.resume({ workspaceId, id: paused.id, actor: namedActor('Ann') });
    await paused.changed(1);
  });

  test('is left to its schedule if it has too many files, which is said once', async () => {
    const { bench, source, watch } = await open({ processes: 0, maxFiles: 3 });
    const large = await source();
    const marker = await source();
    for (let number = 0; number < 9; number += 1) large.write(`${number}.md`);
    watch();
    await expect.poll(() => bench.logged.join('')).toContain('it has more than 3 files');
    large.write('later.md');
    await marker.changed(1);
    expect(await large.runs()).toEqual([]);
    expect(bench.logged.filter((line) => line.includes('folder cannot be watched'))).toHaveLength(1);
  });

  test('is watched again once it is there', async () => {
    const { bench, workspaceId, source } = await open();
    const { id } = await source();
    const path = join(base, 'allowed', `later-${engine}`);
    await bench.sources.change({ workspaceId, id, actor: namedActor('Ann') }, { settings: { path } });
    bench.now = new Date(bench.now.getTime() + 1_000);
    await bench.work();
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ code: 'folder_missing' });
    const marker = await source();
    await marker.changed(1);
    mkdirSync(path);
    bench.now = new Date(bench.now.getTime() + 1_000);
    await expect
      .poll(async () => {
        writeFileSync(join(path, 'a.md'), bench.now.toISOString());
        return (await bench.lastRun(workspaceId, id)).startedBy;
      })
      .toBe('change');
  });
});
