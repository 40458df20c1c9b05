import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { countLockWaits } from '../../../helpers/stores/databases/count-lock-waits.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('batched lane leases on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel, receive } = await openTestPipeline({ environment });
  const laneOf = (lane: string, token = `token of ${lane}`) => ({ channelId: channel.id, lane, token });
  const take = (...lanes: readonly ReturnType<typeof laneOf>[]) =>
    Promise.all(lanes.map((lane) => runtime.laneLeases.lease(lane)));

  const lockWaits = () => countLockWaits(runtime.database.pool);

  test('return the waiting work of each lane', async () => {
    await receive({ id: '1', chat: 'a' }, { id: '2', chat: 'b' }, { id: '3', chat: 'b' });
    const taken = await take(laneOf('b'), laneOf('a'), laneOf('unheard of'));
    expect(taken.map((work) => work?.events.length)).toEqual([2, 1, undefined]);
  });

  test('are exclusive', async () => {
    await receive({ id: '4', chat: 'c' }, { id: '5', chat: 'd' });
    await take(laneOf('c', 'another'));
    const taken = await take(laneOf('c'), laneOf('d', 'one'), laneOf('d', 'two'));
    expect(taken.map((work) => work !== null)).toEqual([false, true, false]);
  });

  test.runIf(engine === 'postgres').each(['with', 'after'])(
    'do not wait long %s a lane that another process has locked',
    async (when) => {
      const [e, f] = [`e ${when}`, `f ${when}`];
      await receive({ id: e, chat: e }, { id: f, chat: f });
      let busy: Promise<unknown> = Promise.resolve();
      await runtime.database.kysely.transaction().execute(async (transaction) => {
        await transaction.selectFrom('lane').select('lane').where('lane', '=', e).forUpdate().execute();
        busy = runtime.laneLeases.lease(laneOf(e));
        if (when === 'after') await expect.poll(lockWaits).toBe(1);
        const [free] = await take(laneOf(f));
        expect(free?.events).toHaveLength(1);
      });
      expect(await busy).toMatchObject({ events: [{}] });
    },
  );

  test.runIf(engine === 'postgres')('are awaited if the holder is just releasing the lane', async () => {
    await receive({ id: '6', chat: 'g' });
    const [g] = await take(laneOf('g'));
    expect(g?.events).toHaveLength(1);
    await runtime.database.kysely
      .updateTable('inbound_event')
      .set({ handled_at: new Date() })
      .where('lane', '=', 'g')
      .execute();
    let next: ReturnType<typeof take> | undefined;
    await runtime.database.kysely.transaction().execute(async (transaction) => {
      const leaving = sql`select release_lane(${channel.id}, 'g', ${laneOf('g').token}, now()) as due`;
      expect((await leaving.execute(transaction)).rows).toEqual([{ due: null }]);
      next = take(laneOf('g', 'next'));
      await expect.poll(lockWaits).toBe(1);
    });
    expect(await next).toMatchObject([{ events: [] }]);
  });
});
