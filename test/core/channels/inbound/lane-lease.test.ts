import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type HeldLane, withLaneLease } from '../../../../core/channels/inbound/lane.ts';
import { collectGarbage } from '../../../helpers/collect-garbage.ts';
import { countLockWaits } from '../../../helpers/stores/databases/count-lock-waits.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('a lane lease on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel, receive } = await openTestPipeline({ environment });
  const database = runtime.database.kysely;
  const keyOf = (lane: string) => ({ channelId: channel.id, lane });
  const { signal } = new AbortController();
  const hold = (lane: string, work: (held: HeldLane) => Promise<void>) =>
    withLaneLease({ ...runtime, database }, { key: keyOf(lane), signal }, async (held) => {
      await work(held);
      return undefined;
    });
  const markAll = (lane: string) =>
    database.updateTable('inbound_event').set({ handled_at: new Date() }).where('lane', '=', lane).execute();

  test('has one holder at a time', async () => {
    await receive({ id: '1', chat: 'a' });
    let others = 0;
    const count = async () => {
      others += 1;
    };
    await hold('a', async () => {
      await hold('a', count);
      await markAll('a');
    });
    expect(others).toBe(0);
    await hold('a', count);
    expect(others).toBe(1);
  });

  test('is not released while work is left that another worker was turned away from', async () => {
    await receive({ id: '2', chat: 'b' });
    let rounds = 0;
    await hold('b', async () => {
      rounds += 1;
      await markAll('b');
      if (rounds > 1) return;
      await receive({ id: '3', chat: 'b' });
      await hold('b', async () => expect.unreachable());
    });
    expect(rounds).toBe(2);
  });

  test("passes to another worker if it is not renewed, and discards the first worker's results", async () => {
    await receive({ id: '4', chat: 'c' });
    await hold('c', async () => {
      await runtime.database.pool.query(
        `update lane set held_until = clock_timestamp() - interval '1 second' where lane = 'c'`,
      );
      let second = '';
      await hold('c', async ({ token }) => {
        second = token;
        await markAll('c');
      });
      expect(second).not.toBe('');
    });
  });

  test('is released after its work fails', async () => {
    await receive({ id: '5', chat: 'd' });
    const failing = hold('d', async () => Promise.reject(new TypeError('no')));
    await expect(failing).rejects.toThrow('no');
    let worked = false;
    await hold('d', async () => {
      worked = true;
      await markAll('d');
    });
    expect(worked).toBe(true);
  });

  test('removes its abort listeners, so that a process can run for months', async () => {
    await receive({ id: '6', chat: 'e' });
    const held: WeakRef<AbortSignal>[] = [];
    await hold('e', async (lane) => {
      lane.signal.addEventListener('abort', () => {});
      held.push(new WeakRef(lane.signal));
      await markAll('e');
    });
    await expect
      .poll(() => {
        collectGarbage();
        return held.map((one) => one.deref());
      })
      .toEqual([undefined]);
    expect(signal.aborted).toBe(false);
  });

  test.runIf(engine === 'postgres')('is awaited if its holder is just releasing it', async () => {
    await receive({ id: '7', chat: 'f' });
    await markAll('f');
    const { kysely, pool } = runtime.database;
    const key = keyOf('f');
    let came: Promise<void> | undefined;
    let worked = false;
    await withLaneLease({ ...runtime, database }, { key, signal }, async ({ token }) => {
      await kysely.transaction().execute(async (transaction) => {
        const leaving = sql`select release_lane(${key.channelId}, ${key.lane}, ${token}, now()) as due`;
        expect((await leaving.execute(transaction)).rows).toEqual([{ due: null }]);
        came = withLaneLease({ ...runtime, database }, { key, signal }, async () => {
          worked = true;
          return undefined;
        });
        await expect.poll(() => countLockWaits(pool)).toBe(1);
      });
      return 'released';
    });
    await came;
    expect(worked).toBe(true);
  });
});
