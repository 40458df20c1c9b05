import { describe, expect, test } from 'vitest';
import type { Wait } from '../../../../core/base/clock.ts';
import { createAccountFinder } from '../../../../core/channels/accounts/channel-accounts.ts';
import { BurstCollector } from '../../../../core/channels/inbound/burst-collector.ts';
import { storeDeliveries } from '../../../../core/channels/inbound/receive-deliveries.ts';
import { answerLane } from '../../../../workers/answer/answer-lane.ts';
import { answerLive } from '../../../../workers/answer/live-answer.ts';
import { deliveryOf } from '../../../helpers/platforms/fake/channel.ts';
import { openTelegramServer } from '../../../helpers/servers/channels/open-telegram-server.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

const pages = [
  '## Delivery\n\nExpress parcels arrive within three days of the order.',
  '## Returns\n\nUnused tools can be returned within sixty days.',
  '## Engraving\n\nThe engraving of a lamp costs nine pounds.',
].join('\n\n');

/**
 * Workers that wait for the rest of a burst continue when the test releases them. The clock stands still from `renew`
 * until then.
 */
function holdWaits() {
  let stoodStillAt: Date | null = null;
  const clock = { now: () => stoodStillAt ?? new Date() };
  const waits: number[] = [];
  const hold = { begun: Promise.withResolvers<void>(), over: Promise.withResolvers<void>() };
  const wait: Wait = async (ms) => {
    waits.push(ms);
    stoodStillAt = null;
    hold.begun.resolve();
    await hold.over.promise;
  };
  const renew = () => {
    stoodStillAt = new Date();
    waits.length = 0;
    hold.begun = Promise.withResolvers();
    hold.over = Promise.withResolvers();
  };
  return { clock, waits, hold, wait, renew };
}

describe.each(testEngines)('a burst that meets an idle worker on %s', async (engine) => {
  const database = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { clock, waits, hold, wait, renew } = holdWaits();
  const { telegram, workspace, addDocument, eventually } = await openTelegramServer(
    'webhook',
    {},
    { database, clock, alter: () => ({ bursts: new BurstCollector({ clock, wait }) }) },
  );
  await addDocument(workspace.id, pages);
  let next = 9_000;
  const from = (chat: number, text: string) => {
    next += 1;
    telegram.chats.add(chat);
    const person = { id: chat, is_bot: false, first_name: 'Bea' };
    const message = { message_id: next, date: 1_790_000_000, from: person, text };
    return {
      update_id: next,
      message: { ...message, chat: { id: chat, type: 'private', first_name: 'Bea' } },
    };
  };
  const sentTo = (chat: number) => telegram.sent.filter((sent) => sent.chat === chat).map(({ text }) => text);

  test('gets three answers in one turn, and its messages are acknowledged before', async () => {
    renew();
    await telegram.tell(from(701, 'when do express parcels arrive after the order?'));
    await hold.begun.promise;
    await telegram.tell(
      from(701, 'can unused tools be returned?'),
      from(701, 'What does the engraving of a lamp cost'),
    );
    expect(sentTo(701)).toEqual([]);
    hold.over.resolve();
    await eventually(() => expect(sentTo(701)).not.toEqual([]));
    expect(sentTo(701)).toHaveLength(1);
    for (const fact of ['within three days', 'within sixty days', 'costs nine pounds'])
      expect(sentTo(701)[0]).toContain(fact);
    expect(waits).toEqual([60]);
  });

  test('a single message is answered at most 60 ms later', async () => {
    renew();
    hold.over.resolve();
    await telegram.tell(from(702, 'Can unused tools be returned?'));
    await eventually(() => expect(sentTo(702)).toEqual([expect.stringContaining('within sixty days')]));
    expect(waits).toEqual([60]);
  });

  test('a command is answered without waiting', async () => {
    waits.length = 0;
    const { update_id, message } = from(703, '/start');
    const entities = [{ type: 'bot_command', offset: 0, length: 6 }];
    const update = { update_id, message: { ...message, entities } };
    await telegram.tell(update);
    await eventually(() => expect(sentTo(703)).toHaveLength(1));
    expect(waits).toEqual([]);
  });
});

describe('a worker', async () => {
  const { clock, waits, wait } = holdWaits();
  const pipeline = await openTestPipeline({ alter: () => ({ bursts: new BurstCollector({ clock, wait }) }) });
  await pipeline.addDocument(pages);
  const { runtime, channel, receive } = pipeline;
  const { signal } = new AbortController();
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime), signal };
  const roles = async () => (await pipeline.messages()).map(({ role }) => role);

  test('that had to wait for a slot answers also what came meanwhile, without waiting again', async () => {
    const key = { channelId: channel.id, lane: 'slot' };
    const stored = await storeDeliveries(runtime.database.kysely, {
      channel,
      deliveries: [deliveryOf({ id: 's1', chat: 'slot', text: 'When do express parcels arrive?' })],
      leaseRequests: [{ lane: 'slot', token: 'slot' }],
      now: new Date(runtime.clock.now().getTime() - 1_000),
    });
    const work = stored.leased.get('slot');
    if (work === undefined) throw new TypeError('the lane is not leased');
    runtime.laneHandover.put(key, { token: 'slot', work });
    await receive({ id: 's2', chat: 'slot', text: 'Can unused tools be returned?' });
    await answerLane(dependencies, key);
    expect(await roles()).toEqual(['user', 'assistant']);
    expect(waits).toEqual([]);
  });

  test('answers a caller without waiting', async () => {
    await receive({ id: 'c1', chat: 'call', text: 'Can unused tools be returned?', isComplete: true });
    await answerLane(dependencies, { channelId: channel.id, lane: 'call' });
    expect(pipeline.platform.sent.at(-1)?.text).toContain('within sixty days');
    expect(waits).toEqual([]);
  });

  test('answers a live client without waiting', async () => {
    const account = await runtime.channelAccounts.account(channel.id);
    if (account === null) throw new TypeError('no channel');
    const delivery = deliveryOf({ id: 'live', chat: 'live', text: 'Can unused tools be returned?' });
    await answerLive(dependencies, account, delivery, { onText: () => {}, signal });
    expect(await roles()).toHaveLength(6);
    expect(waits).toEqual([]);
  });
});
