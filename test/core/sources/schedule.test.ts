import { describe, expect, test } from 'vitest';
import { namedActor } from '../../../core/contract/actor.ts';
import { requeueRuns, startDueRuns } from '../../../core/sources/runs/run-queue.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const minuteMs = 60_000;

describe.each(testEngines)('scheduled runs on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open() {
    const bench = new SourceBench(database);
    // Sources of other tests are not due.
    await database.kysely.updateTable('source').set({ paused_at: bench.now }).execute();
    const workspaceId = await bench.workspace();
    const start = () =>
      startDueRuns(
        { database: database.kysely, clock: { now: () => bench.now } },
        { queue: bench.queue, log: bench.dependencies.log },
      );
    const pass = (minutes: number) => {
      bench.now = new Date(bench.now.getTime() + minutes * minuteMs);
    };
    return { bench, workspaceId, start, pass };
  }

  test('start when they are due, and once over all processes', async () => {
    const { bench, workspaceId, start, pass } = await open();
    const id = await bench.create(workspaceId, { scheduleMinutes: 60 });
    await start();
    expect(bench.jobs).toEqual([]);
    pass(60);
    await Promise.all([start(), start(), start()]);
    expect(bench.jobs).toHaveLength(1);
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ startedBy: 'schedule', number: 1 });
    await bench.work();
    pass(59);
    await start();
    expect(bench.jobs).toEqual([]);
    pass(1);
    await start();
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ number: 2 });
  });

  test('are left out while a run is going, and while the source is paused', async () => {
    const { bench, workspaceId, start, pass } = await open();
    const going = await bench.create(workspaceId, { scheduleMinutes: 60, run: true });
    const paused = await bench.create(workspaceId, { scheduleMinutes: 60 });
    await bench.sources.pause({ workspaceId, id: paused, actor: namedActor('Ann') });
    bench.jobs.length = 0;
    pass(61);
    await start();
    expect(bench.jobs).toEqual([]);
    expect(await bench.lastRun(workspaceId, going)).toMatchObject({ number: 1, startedBy: 'Ann' });
    await bench.sources.resume({ workspaceId, id: paused, actor: namedActor('Ann') });
    await start();
    expect(bench.jobs).toHaveLength(1);
  });

  test('end with their workspace', async () => {
    const { bench, workspaceId, start, pass } = await open();
    await bench.create(workspaceId, { scheduleMinutes: 60 });
    await database.kysely
      .updateTable('workspace')
      .set({ deleted_at: bench.now })
      .where('id', '=', workspaceId)
      .execute();
    pass(61);
    await start();
    expect(bench.jobs).toEqual([]);
  });

  test('whose jobs were lost are queued again', async () => {
    const { bench, workspaceId, pass } = await open();
    const id = await bench.create(workspaceId, { run: true });
    bench.site.set('a', 'Text.');
    bench.jobs.length = 0;
    pass(2);
    const before = new Date(bench.now.getTime() - minuteMs);
    await requeueRuns(database.kysely, before, { queue: bench.queue, log: bench.dependencies.log });
    await bench.work();
    expect(await bench.lastRun(workspaceId, id)).toMatchObject({ state: 'finished' });
    await requeueRuns(database.kysely, bench.now, { queue: bench.queue, log: bench.dependencies.log });
    expect(bench.jobs.filter(({ runId }) => runId.startsWith('run_'))).toEqual([]);
  });
});
