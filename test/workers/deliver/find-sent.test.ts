import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { releaseStaleLeases } from '../../../core/channels/inbound/lane.ts';
import { wakeLanes } from '../../../core/channels/inbound/wake-lanes.ts';
import { ConnectorError, type RetryAdvice } from '../../../core/contract/connector-error.ts';
import type { SentPart } from '../../helpers/platforms/fake/channel.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openNotingPipeline } from '../../helpers/stores/open-noting-pipeline.ts';

const silence = (retry: 'backoff' | 'never' = 'backoff') =>
  new ConnectorError('It does not answer.', { advice: { retry } });

describe.each(testEngines)('a part in doubt on %s', async (engine) => {
  const { ask, platform, receive, runtime, settled } = await openNotingPipeline(engine);
  const database = runtime.database.kysely;
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).length;
  let count = 0;
  const askAgain = (chat: string) => {
    count += 1;
    return receive({ id: `again ${count}`, chat, text: 'And on Sunday?' });
  };
  const partsIn = (chat: string) =>
    database
      .selectFrom('outbound_part')
      .select(['status', 'attempts', 'platform_message_id'])
      .where('lane', '=', chat)
      .orderBy('number')
      .execute();
  const statuses = async (chat: string) => (await partsIn(chat)).map(({ status }) => status);
  const isTried = (chat: string) =>
    settled(async () => expect(await partsIn(chat)).toMatchObject([{ status: 'waiting', attempts: 1 }]));
  /** The next message is accepted, but its response is lost. */
  const takeSilently = (answer: () => Promise<void>) => {
    platform.sending = async (part: SentPart) => {
      platform.sending = async () => {};
      platform.sent.push(part);
      return answer();
    };
  };

  beforeEach(() => {
    platform.sending = async () => {};
    platform.remembering = async () => {};
  });

  test('is not sent again if the platform has it', async () => {
    takeSilently(() => Promise.reject(silence()));
    await ask('taken');
    await isTried('taken');
    const place = platform.sent.length;
    await askAgain('taken');
    await settled(async () => expect(await statuses('taken')).toEqual(['sent', 'sent']));
    expect(sentTo('taken')).toBe(2);
    expect((await partsIn('taken'))[0]).toMatchObject({ platform_message_id: `m${place}`, attempts: 1 });
  });

  test('is sent if the platform does not have it, even if another message has the same text', async () => {
    await ask('untaken');
    await settled(async () => expect(await statuses('untaken')).toEqual(['sent']));
    platform.sending = async () => {
      platform.sending = async () => {};
      throw silence();
    };
    await askAgain('untaken');
    await settled(async () => expect(await statuses('untaken')).toEqual(['sent', 'waiting']));
    await askAgain('untaken');
    await settled(async () => expect(await statuses('untaken')).toEqual(['sent', 'sent', 'sent']));
    expect(sentTo('untaken')).toBe(3);
  });

  test('is not searched for if the platform refused it', async () => {
    let asked = 0;
    platform.remembering = async () => {
      asked += 1;
    };
    platform.sending = async () => {
      platform.sending = async () => {};
      throw new ConnectorError('Too much.', { advice: { retry: 'after', afterMs: 500 } });
    };
    await ask('refused');
    await settled(async () => expect(await statuses('refused')).toEqual(['sent']));
    expect(asked).toBe(0);
  });

  test.each<RetryAdvice>([{ retry: 'never' }, { retry: 'after', afterMs: 60_000, limited: 'account' }])(
    'is sent if the platform cannot tell (%j)',
    async (advice) => {
      const chat = `untold ${advice.retry}`;
      platform.remembering = async () => {
        throw new ConnectorError('Not for you.', { advice });
      };
      takeSilently(() => Promise.reject(silence()));
      await ask(chat);
      await isTried(chat);
      await askAgain(chat);
      await settled(async () => expect(await statuses(chat)).toEqual(['sent', 'sent']));
      expect(sentTo(chat)).toBe(3);
    },
  );

  test('waits if the platform has an outage', async () => {
    platform.remembering = async () => {
      throw silence();
    };
    takeSilently(() => Promise.reject(silence()));
    await ask('waiting');
    await isTried('waiting');
    await askAgain('waiting');
    await settled(async () => expect(await statuses('waiting')).toEqual(['waiting', 'waiting']));
    expect(sentTo('waiting')).toBe(1);
  });

  const wake = () =>
    wakeLanes(database, runtime.queue, { now: runtime.clock.now(), round: 'next', isFirst: true });
  const outlive = () =>
    sql`update lane set held_until = clock_timestamp() - interval '1 second'
        where holder is not null`.execute(database);

  test.each([
    ['the next process begins', () => releaseStaleLeases(database).then(wake)],
    ['its lease has run out', () => outlive().then(wake)],
    [
      'its lease has run out and the visitor writes again',
      (chat: string) => outlive().then(() => askAgain(chat)),
    ],
  ])('is not sent again if its sender died and %s', async (what, goOn) => {
    const dead = Promise.withResolvers<void>();
    takeSilently(() => dead.promise);
    await ask(what);
    await settled(() => expect(sentTo(what)).toBe(1));
    await goOn(what);
    await settled(async () => expect(new Set(await statuses(what))).toEqual(new Set(['sent'])));
    expect(sentTo(what)).toBe((await partsIn(what)).length);
    // Otherwise the end of the test would wait for it.
    dead.reject(silence());
  });
});
