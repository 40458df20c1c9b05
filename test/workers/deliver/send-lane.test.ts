import { beforeEach, describe, expect, test } from 'vitest';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openNotingPipeline } from '../../helpers/stores/open-noting-pipeline.ts';

const everyMs = 60;

describe.each(testEngines)('answers that wait for a budget on %s', async (engine) => {
  const pipeline = await openNotingPipeline(engine);
  const { ask, platform, runtime, settled } = pipeline;
  const names = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of}${index}`);
  const parts = async (status: string) => (await pipeline.parts()).filter((part) => part.status === status);
  const sentTo = (of: string) => platform.sent.map(({ chat }) => chat).filter((chat) => chat.startsWith(of));
  const sentTimes: number[] = [];

  beforeEach(() => {
    sentTimes.length = 0;
    platform.sending = async () => void sentTimes.push(performance.now());
  });

  test('are all sent one by one, exactly as fast as the budget allows', async () => {
    platform.budgetsOf = () => [{ key: 'paced', everyMs, burst: 1 }];
    const chats = names(12, 'paced');
    await Promise.all(chats.map((chat) => ask(chat)));
    await settled(() => expect(new Set(platform.sent.map(({ chat }) => chat))).toEqual(new Set(chats)));
    const pauses = sentTimes.slice(1).map((at, index) => at - (sentTimes[index] ?? 0));
    // A send may come earlier by the time that the one before was in flight.
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan((pauses.length - 1) * everyMs);
    await settled(async () => expect(await parts('waiting')).toEqual([]));
  });

  test('do not delay others, however many they are', async () => {
    platform.budgetsOf = (chat) => (chat === 'quick' ? [] : [{ key: 'slow', everyMs: 10_000, burst: 1 }]);
    const slow = names(150, 'slow');
    await Promise.all(slow.map((chat) => ask(chat)));
    await ask('quick');
    await settled(() => expect(platform.sent.map(({ chat }) => chat)).toContain('quick'));
    expect(sentTo('slow').length).toBeLessThan(20);
    await settled(async () => {
      const { rows } = await runtime.database.pool.query(
        'select count(*)::int as held from lane where holder is not null',
      );
      expect(rows).toEqual([{ held: 0 }]);
      // A lane is also free while its event waits for a process.
      expect((await parts('waiting')).length + sentTo('slow').length).toBe(slow.length);
    });
  });

  test('are sent by the next process if one dies', async () => {
    await pipeline.stop();
    runtime.budgetWaitQueue.close();
    expect((await parts('waiting')).length).toBeGreaterThan(100);
    platform.budgetsOf = () => [];
    await runtime.database.pool.query(
      `update outbound_part set next_attempt_at = now() - interval '1 second' where status = 'waiting'`,
    );
    await pipeline.start();
    await settled(() => expect(sentTo('slow').toSorted()).toEqual(names(150, 'slow').toSorted()));
  });
});
