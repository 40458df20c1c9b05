import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../../core/base/log.ts';
import { NotificationHub, type Notifications } from '../../../../core/storage/notifications/notifications.ts';
import { MovableTime } from '../../../helpers/movable-time.ts';
import { openTestDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

/** Subscribes, and keeps what comes. */
async function subscribe(channel: Notifications, key = 'shop') {
  const heard: (string | null)[] = [];
  const waiting = new Set<() => void>();
  const leave = await channel.listen(key, (news) => {
    heard.push(news);
    for (const look of [...waiting]) look();
  });
  return {
    heard,
    leave,
    /** Resolves when it has come, now or earlier. */
    hears: (news: string | null) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (heard.includes(news)) resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

describe.each(testEngines)('notifications on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const notify = (channel: string, payload: string) =>
    sql`select pg_notify(${channel}, ${payload})`.execute(database.kysely);
  let processes = 0;

  function openProcess() {
    processes += 1;
    const time = new MovableTime();
    const hub = new NotificationHub({
      ...{ database, clock: time.clock, wait: time.wait, log: createLog('silent') },
      processId: String(processes),
    });
    onTestFinished(() => hub.close());
    return { hub, time };
  }

  test.each([
    ['agent_news', 'visitor_news'],
    ['visitor_news', 'agent_news'],
  ])('of %s arrive after the last subscriber of %s has left for half a minute', async (kept, left) => {
    const { hub, time } = openProcess();
    const stays = await subscribe(hub.channel(kept));
    const leaves = await subscribe(hub.channel(left));
    leaves.leave();
    // A heartbeat takes real time. One that has not arrived by the next makes the hub open its connection anew.
    for (const _ of [1, 2, 3]) {
      await time.advance(10_000);
      await vi.waitFor(() => expect(hub.ages().get(kept)).toBe(0), { timeout: 20_000 });
    }
    await time.advance(1_000);
    await notify(kept, 'shop late');
    await stays.hears('late');
    expect([...hub.ages().keys()]).toEqual([kept]);
    const comesBack = await subscribe(hub.channel(left));
    await notify(left, 'shop again');
    await comesBack.hears('again');
  });

  test('of one process are left alone by another that stops listening', async () => {
    const [one, other] = [openProcess(), openProcess()];
    const stays = await subscribe(one.hub.channel('agent_news'));
    (await subscribe(other.hub.channel('agent_news'))).leave();
    await other.time.advance(31_000);
    await notify('agent_news', 'shop late');
    await stays.hears('late');
  });

  test('have an age that the heartbeats through the database keep small', async () => {
    const { hub, time } = openProcess();
    const channel = hub.channel('agent_news');
    expect(channel.ageSeconds()).toBeNull();
    await subscribe(channel);
    expect(channel.ageSeconds()).toBe(0);
    const beats = vi.spyOn(database.pool, 'connect');
    await time.advance(9_000);
    expect(channel.ageSeconds()).toBe(9);
    await time.advance(1_000);
    await vi.waitFor(() => expect(channel.ageSeconds()).toBe(0));
    expect(beats).toHaveBeenCalledTimes(1);
    beats.mockRestore();
  });

  test('are opened anew when no heartbeat arrives, and subscribers are told that they may have missed some', async () => {
    const { hub, time } = openProcess();
    const connect = vi.spyOn(database.pool, 'connect');
    const channel = hub.channel('agent_news');
    const listening = await subscribe(channel);
    const client: unknown = await connect.mock.results[0]?.value;
    connect.mockRestore();
    // The connection stays open and brings nothing any more.
    if (typeof client !== 'object' || client === null || !('off' in client)) return expect.unreachable();
    Reflect.apply(Reflect.get(client, 'removeAllListeners'), client, ['notification']);
    await notify('agent_news', 'shop lost');
    await time.advance(24_000);
    expect(channel.ageSeconds()).toBe(24);
    expect(listening.heard).toEqual([]);
    await time.advance(2_000);
    await listening.hears(null);
    expect(channel.ageSeconds()).toBe(0);
    await notify('agent_news', 'shop found');
    await listening.hears('found');
  });

  test.skipIf(engine === 'embedded')(
    'come again on all channels after the server has ended the connection',
    async () => {
      const { hub, time } = openProcess();
      const [agents, visitors] = [hub.channel('agent_news'), hub.channel('visitor_news')];
      const both = [await subscribe(agents), await subscribe(visitors)];
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()
      `.execute(database.kysely);
      await vi.waitFor(() => expect(agents.ageSeconds()).toBeNull());
      await notify('agent_news', 'shop lost');
      await time.advance(1_000);
      await Promise.all(both.map(({ hears }) => hears(null)));
      await notify('agent_news', 'shop one');
      await notify('visitor_news', 'shop two');
      await Promise.all([both[0]?.hears('one'), both[1]?.hears('two')]);
    },
  );
});
