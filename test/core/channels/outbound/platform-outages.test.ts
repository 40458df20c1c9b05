import { beforeEach, describe, expect, test } from 'vitest';
import { PlatformOutages } from '../../../../core/channels/outbound/send-queue.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openNotingPipeline } from '../../../helpers/stores/open-noting-pipeline.ts';

const time = { ms: 0 };
const outages = new PlatformOutages({ now: () => time.ms });

function fail(times: number, forMs: number) {
  for (let count = 0; count < times; count += 1) outages.recordFailure('chan');
  time.ms += forMs;
}

test.each([
  [3, 15_000, true],
  [3, 14_999, false],
  [2, 600_000, false],
])('%i failures within %i ms before a success are an outage: %j', (times, forMs, isOutage) => {
  fail(times, forMs);
  expect(outages.recordSuccess('another')).toBe(false);
  expect(outages.recordSuccess('chan')).toBe(isOutage);
  expect(outages.recordSuccess('chan')).toBe(false);
});

test('a success in between ends the count', () => {
  fail(2, 10_000);
  outages.recordSuccess('chan');
  fail(2, 10_000);
  expect(outages.recordSuccess('chan')).toBe(false);
});

describe.each(testEngines)('a platform outage on %s', async (engine) => {
  const pipeline = await openNotingPipeline(engine, { outages });
  const { ask, platform, receive, runtime, settled } = pipeline;
  let count = 0;
  const askAgain = async (chat: string) => {
    count += 1;
    await receive({ id: `again ${count}`, chat, text: 'Still there?' });
  };
  const sent = () => platform.sent.map(({ chat }) => chat).toSorted();
  /** Failed once and postponed as after many attempts. */
  const failIn = async (...chats: readonly string[]) => {
    platform.sending = async ({ chat }) => {
      if (chats.includes(chat)) throw new ConnectorError('Bad Gateway', { advice: { retry: 'backoff' } });
    };
    await ask(...chats);
    await settled(async () => {
      const { rowCount } = await runtime.database.pool.query(
        `update outbound_part set next_attempt_at = now() + interval '8 minutes'
         where status = 'waiting' and failure is not null and lane = any ($1)`,
        [chats],
      );
      expect(rowCount).toBe(chats.length);
    });
  };

  beforeEach(() => {
    platform.sent.length = 0;
    outages.recordSuccess(pipeline.channel.id);
  });

  test('retries all postponed parts as soon as one succeeds', async () => {
    await failIn('a', 'b', 'c');
    time.ms += 60_000;
    platform.sending = async () => {};
    await ask('d');
    await settled(() => expect(sent()).toEqual(['a', 'b', 'c', 'd']));
  });

  test('is not assumed for one conversation while others succeed', async () => {
    await failIn('e');
    time.ms += 60_000;
    await ask('f');
    await settled(() => expect(sent()).toEqual(['f']));
    const { rows } = await runtime.database.pool.query(
      `select next_attempt_at > now() + interval '7 minutes' as late from outbound_part
       where lane = 'e' and status = 'waiting'`,
    );
    expect(rows).toEqual([{ late: true }]);
  });

  test('does not delay a retry when the visitor writes again, however often', async () => {
    await failIn('g');
    const parts = async () => {
      const { rows } = await runtime.database.pool.query(
        `select attempts, next_attempt_at < now() + interval '1 minute' as soon from outbound_part
         where lane = 'g' and status = 'waiting' order by number`,
      );
      return rows;
    };
    expect(await parts()).toEqual([{ attempts: 1, soon: false }]);
    await askAgain('g');
    await settled(async () =>
      expect(await parts()).toMatchObject([{ attempts: 1, soon: true }, { attempts: 0 }]),
    );
    platform.sending = async () => {};
    await runtime.database.pool.query(
      `update outbound_part set next_attempt_at = now() + interval '8 minutes' where lane = 'g' and attempts = 1`,
    );
    await askAgain('g');
    await settled(() => expect(sent()).toEqual(['g', 'g', 'g']));
  });

  test('keeps the count of attempts if a budget delays the retry', async () => {
    await failIn('h');
    platform.budgetsOf = () => [{ key: 'slow', everyMs: 600_000, burst: 1 }];
    platform.sending = async () => {};
    await ask('i');
    await settled(() => expect(sent()).toEqual(['i']));
    await askAgain('h');
    await settled(async () => {
      const { rows } = await runtime.database.pool.query(
        `select attempts from outbound_part
         where lane = 'h' and failure is not null and next_attempt_at > now() + interval '9 minutes'`,
      );
      expect(rows).toEqual([{ attempts: 1 }]);
    });
  });
});
