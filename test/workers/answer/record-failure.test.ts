import { describe, expect, test } from 'vitest';
import { recordTurnFailure } from '../../../workers/answer/answer-lane.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' });

describe.each(testEngines)('a failed turn on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, channel, receive } = await openTestPipeline({ environment });
  const { database, clock } = runtime;
  let count = 0;

  async function fail(error: unknown, { attempts = 0, ageMs = 0 }) {
    count += 1;
    const lane = `lane ${count}`;
    await receive({ id: lane, chat: lane, text: 'Is it open?' });
    const { number } = await database.kysely
      .selectFrom('inbound_event')
      .select('number')
      .where('lane', '=', lane)
      .executeTakeFirstOrThrow();
    const held = { channelId: channel.id, lane, token: 'ours', signal: new AbortController().signal };
    const since = new Date(clock.now().getTime() - ageMs);
    const failed = { held, numbers: [number], error, attempts, maxAttempts: 3, since };
    const pauseMs = await recordTurnFailure(runtime, failed);
    const row = await database.kysely
      .selectFrom('inbound_event')
      .select(['attempts', 'failure'])
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    return { pauseMs, ...row };
  }

  test('is attempted three times and then left to an operator with the reason', async () => {
    const error = new RangeError('no answer');
    expect(await fail(error, { attempts: 0 })).toEqual({ pauseMs: 1_000, attempts: 1, failure: null });
    expect(await fail(error, { attempts: 1 })).toEqual({ pauseMs: 2_000, attempts: 2, failure: null });
    expect(await fail(error, { attempts: 2 })).toEqual({ pauseMs: null, attempts: 3, failure: 'no answer' });
  });

  test('is retried at growing intervals until a database fault is over', async () => {
    const failAfter = (ageMs: number) => fail(full, { attempts: 2, ageMs });
    expect(await failAfter(0)).toEqual({ pauseMs: 1_000, attempts: 2, failure: null });
    expect((await failAfter(minuteMs)).pauseMs).toBeCloseTo(15_000, -2);
    expect(await failAfter(60 * minuteMs)).toEqual({ pauseMs: 30_000, attempts: 2, failure: null });
  });

  test('is left to an operator after a whole day of database faults', async () => {
    expect(await fail(full, { attempts: 2, ageMs: dayMs })).toMatchObject({
      pauseMs: null,
      failure: full.message,
    });
  });
});
