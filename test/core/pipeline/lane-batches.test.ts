import { describe, expect, test } from 'vitest';
import { openTestPipeline } from '../../helpers/open-test-pipeline.ts';
import { createDatabase, testEngines } from '../../helpers/test-databases.ts';

describe.each(testEngines)('lanes that are taken at once on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel, receive } = await openTestPipeline({ environment });
  const laneOf = (lane: string, token = `token of ${lane}`) => ({ channelId: channel.id, lane, token });
  const take = (...lanes: readonly ReturnType<typeof laneOf>[]) =>
    Promise.all(lanes.map((lane) => runtime.laneBatches.take(lane)));

  test('each tell what waits in them', async () => {
    await receive({ id: '1', chat: 'a' }, { id: '2', chat: 'b' }, { id: '3', chat: 'b' });
    const taken = await take(laneOf('b'), laneOf('a'), laneOf('unheard of'));
    expect(taken.map((work) => work?.events.length)).toEqual([2, 1, undefined]);
  });

  test('are one’s alone', async () => {
    await receive({ id: '4', chat: 'c' }, { id: '5', chat: 'd' });
    await take(laneOf('c', 'another'));
    const taken = await take(laneOf('c'), laneOf('d', 'one'), laneOf('d', 'two'));
    expect(taken.map((work) => work !== null)).toEqual([false, true, false]);
  });

  test.runIf(engine === 'postgres').each(['with', 'after'])(
    'do not wait for long %s one that another process is busy with',
    async (when) => {
      const [e, f] = [`e ${when}`, `f ${when}`];
      await receive({ id: e, chat: e }, { id: f, chat: f });
      const { pool, kysely } = runtime.database;
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      let busy: Promise<unknown> = Promise.resolve();
      await kysely.transaction().execute(async (transaction) => {
        await transaction.selectFrom('lane').select('lane').where('lane', '=', e).forUpdate().execute();
        busy = runtime.laneBatches.take(laneOf(e));
        if (when === 'after') await expect.poll(async () => (await pool.query(waiting)).rows.length).toBe(1);
        const [free] = await take(laneOf(f));
        expect(free?.events).toHaveLength(1);
      });
      expect(await busy).toMatchObject({ events: [{}] });
    },
  );
});
