import { beforeEach, describe, expect, test } from 'vitest';
import { loadQueueOverview } from '../../../../core/channels/queue-overview.ts';
import { ConnectorError, type LimitScope } from '../../../../core/contract/connector-error.ts';
import { testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openNotingPipeline } from '../../../helpers/stores/open-noting-pipeline.ts';

const longMs = 60_000;
const hourMs = 60 * longMs;

describe.each(testEngines)('a rate limit of the platform on %s', async (engine) => {
  const pipeline = await openNotingPipeline(engine);
  const { addChild, ask, platform, receiveIn, runtime, settled } = pipeline;
  const tried: string[] = [];
  let account = 0;
  const sent = () => platform.sent.map(({ chat }) => chat);
  const heldUntil = async () => (await loadQueueOverview(runtime)).channels[0]?.backlog.heldUntil ?? null;
  const waitMs = async (chat: string) => {
    const { rows } = await runtime.database.pool.query(
      `select (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::float8 as ms from outbound_part
       where lane = $1 and status = 'waiting'`,
      [chat],
    );
    return rows[0]?.ms ?? 0;
  };
  const isPutOff = (chat: string) =>
    settled(async () => expect(await waitMs(chat)).toBeGreaterThan(longMs / 2));
  const refuse = (afterMs: number, limited: LimitScope) => {
    throw new ConnectorError('Too Many Requests', { advice: { retry: 'after', afterMs, limited } });
  };

  beforeEach(() => {
    tried.length = 0;
    platform.sent.length = 0;
    account += 1;
    const all = { key: `account ${account}`, everyMs: 1, burst: 100 };
    platform.budgetsOf = (chat) => [{ key: chat.slice(0, 2), everyMs: 1, burst: 100 }, all];
  });

  test('for the whole account pauses all sends until it ends, then sends everything', async () => {
    const until = performance.now() + 2_000;
    platform.sending = async ({ chat }) => {
      tried.push(chat);
      const leftMs = until - performance.now();
      if (leftMs > 0) refuse(leftMs, 'account');
    };
    await ask('first');
    await settled(async () => expect(await heldUntil()).toBeInstanceOf(Date));
    const others = Array.from({ length: 30 }, (_, index) => `${index} other`);
    await ask(...others);
    await settled(() => expect(sent().toSorted()).toEqual(['first', ...others].toSorted()));
    expect(tried).toHaveLength(32);
    expect(await heldUntil()).toBeNull();
  });

  test('for one conversation pauses that conversation only', async () => {
    platform.sending = async ({ chat }) => {
      tried.push(chat);
      if (chat.startsWith('g1')) refuse(longMs, 'conversation');
    };
    await ask('g1 a');
    await isPutOff('g1 a');
    await ask('g1 b', 'g2 a');
    await settled(() => expect(sent()).toEqual(['g2 a']));
    await isPutOff('g1 b');
    expect(tried).not.toContain('g1 b');
    expect(await heldUntil()).toBeNull();
  });

  test('without a scope applies to one conversation, and to the account once a second one is refused', async () => {
    platform.sending = async ({ chat }) => {
      tried.push(chat);
      if (chat.startsWith('u1') || chat.startsWith('u2')) refuse(longMs, 'unsaid');
    };
    await ask('u1');
    await isPutOff('u1');
    await ask('u3');
    await settled(() => expect(sent()).toEqual(['u3']));
    await ask('u2');
    await settled(async () => expect(await heldUntil()).toBeInstanceOf(Date));
    await ask('u4');
    await isPutOff('u4');
    expect(tried).toEqual(['u1', 'u3', 'u2']);
  });

  test('with a wait of zero is retried after growing pauses', async () => {
    platform.sending = async ({ chat }) => {
      tried.push(chat);
      refuse(0, 'conversation');
    };
    await ask('now');
    await settled(() => expect(tried).toHaveLength(3));
    await settled(async () => expect(await waitMs('now')).toBeGreaterThan(1_000));
  });

  test('with an excessive wait is retried earlier', async () => {
    platform.sending = async () => refuse(1e15, 'account');
    await ask('late');
    await settled(async () => expect(await waitMs('late')).toBeGreaterThan(hourMs));
    expect(await waitMs('late')).toBeLessThanOrEqual(24 * hourMs);
    const until = await heldUntil();
    expect(until?.getTime()).toBeLessThanOrEqual(Date.now() + hourMs);
  });

  test('of an app pauses all of its channels and is reported for each', async () => {
    const all = { key: `app ${account}`, everyMs: 1, burst: 100, ofApp: true } as const;
    platform.budgetsOf = () => [all];
    platform.sending = async ({ chat }) => {
      tried.push(chat);
      refuse(longMs, 'account');
    };
    const [one, other] = [await addChild(), await addChild()];
    await receiveIn(one, [{ id: 'one', chat: 'one', text: 'Is it open?' }]);
    await isPutOff('one');
    await receiveIn(other, [{ id: 'other', chat: 'other', text: 'Is it open?' }]);
    await isPutOff('other');
    expect(tried).toEqual(['one']);
    const { channels } = await loadQueueOverview(runtime);
    const limited = channels.filter(({ backlog }) => backlog.heldUntil !== null);
    expect(limited.map(({ channel }) => channel.id)).toEqual(expect.arrayContaining([one, other]));
  });
});
