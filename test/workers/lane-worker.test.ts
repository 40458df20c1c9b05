import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccountFinder } from '../../core/channels/accounts/channel-accounts.ts';
import { sendAgentReply } from '../../core/channels/outbound/agent-reply.ts';
import type { AnswerWriter } from '../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { answerLane } from '../../workers/answer/answer-lane.ts';
import { sendLane } from '../../workers/deliver/send-lane.ts';
import { createDatabase, testEngines } from '../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../helpers/stores/open-test-pipeline.ts';

describe.each(testEngines)('the worker that holds a lane on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const asked: string[] = [];
  const hold = { until: Promise.resolve() };
  const writer: AnswerWriter = {
    async *write({ question }) {
      asked.push(question);
      await hold.until;
      yield { text: `You asked: ${question}` };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { runtime, workspace, channel, platform, receive } = pipeline;
  const { kysely } = runtime.database;
  const { signal } = new AbortController();
  const dependencies = { ...runtime, findAccount: createAccountFinder(runtime), signal };
  const keyOf = (lane: string) => ({ channelId: channel.id, lane });
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const holderOf = async (lane: string) => {
    const { holder } = await kysely
      .selectFrom('lane')
      .select('holder')
      .where('lane', '=', lane)
      .executeTakeFirstOrThrow();
    return holder;
  };
  const replyAsAgent = async (lane: string) => {
    const { conversation_id: conversationId } = await kysely
      .selectFrom('lane')
      .select('conversation_id')
      .where('lane', '=', lane)
      .executeTakeFirstOrThrow();
    await sendAgentReply(dependencies, {
      workspaceId: workspace.id,
      conversationId: conversationId ?? '',
      content: 'It is me.',
      authorEmail: 'ann@example.com',
    });
  };
  const waitingEvents = (lane: string) =>
    kysely
      .selectFrom('inbound_event')
      .select('event_id')
      .where('lane', '=', lane)
      .where('handled_at', 'is', null)
      .orderBy('number')
      .execute();
  /** The platform does not answer in one chat until the test lets it. */
  const hangIn = (chat: string) => {
    const reached = Promise.withResolvers<void>();
    const response = Promise.withResolvers<void>();
    platform.sending = async (part) => {
      if (part.chat !== chat) return;
      reached.resolve();
      await response.promise;
    };
    const answers = () => {
      platform.sending = async () => {};
    };
    return { reached: reached.promise, response, answers };
  };

  beforeEach(async () => {
    await pipeline.stop();
    asked.length = 0;
    hold.until = Promise.resolve();
    platform.sending = async () => {};
    platform.budgetsOf = () => [];
  });

  test('delays no other lane while the platform leaves a part unanswered', async () => {
    await pipeline.start();
    const { reached, response, answers } = hangIn('hung');
    await receive({ id: 'hung 1', chat: 'hung', text: 'first' });
    await reached;
    await receive({ id: 'hung 2', chat: 'hung', text: 'second' });
    const others = Array.from({ length: 100 }, (_, index) => `other ${index}`);
    for (const chat of others) await receive({ id: chat, chat, text: 'And here?' });
    await settled(() => expect(new Set(platform.sent.map(({ chat }) => chat))).toEqual(new Set(others)));
    expect(asked).not.toContain('second');
    expect(await waitingEvents('hung')).toEqual([{ event_id: 'hung 2' }]);
    answers();
    response.reject(new ConnectorError('It does not answer.', { advice: { retry: 'backoff' } }));
    await settled(() => expect(sentTo('hung')).toEqual(['You asked: first', 'You asked: second']));
    await settled(async () => expect(await holderOf('hung')).toBeNull());
  });

  test('sends what an agent wrote while it answered, and no answer after it', async () => {
    await receive({ id: 'agent 1', chat: 'agent', text: 'first' });
    await answerLane(dependencies, keyOf('agent'));
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await receive({ id: 'agent 2', chat: 'agent', text: 'second' });
    const answering = answerLane(dependencies, keyOf('agent'));
    await settled(() => expect(asked).toContain('second'));
    await replyAsAgent('agent');
    await sendLane(dependencies, keyOf('agent'));
    expect(sentTo('agent')).toEqual(['You asked: first']);
    resolve();
    await answering;
    expect(sentTo('agent')).toEqual(['You asked: first', 'It is me.']);
    expect(await holderOf('agent')).toBeNull();
  });

  test('stops answering when it renews the lease after an agent wrote, and sends their message', async () => {
    await receive({ id: 'renew 1', chat: 'renew', text: 'first' });
    await answerLane(dependencies, keyOf('renew'));
    hold.until = new Promise(() => {});
    await receive({ id: 'renew 2', chat: 'renew', text: 'second' });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const answering = answerLane(dependencies, keyOf('renew'));
    await settled(() => expect(asked).toContain('second'));
    await replyAsAgent('renew');
    vi.advanceTimersByTime(5_000);
    await answering;
    vi.useRealTimers();
    expect(sentTo('renew')).toEqual(['You asked: first', 'It is me.']);
    const said = (await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':renew'));
    expect(said.map(({ content }) => content)).toEqual(['first', 'You asked: first', 'It is me.', 'second']);
  });

  test('leaves an event that came while it only sent to a worker that answers', async () => {
    platform.budgetsOf = () => [{ key: 'one an hour', everyMs: 3_600_000, burst: 1 }];
    await receive({ id: 'sent 1', chat: 'sent', text: 'x'.repeat(60) });
    await answerLane(dependencies, keyOf('sent'));
    expect(sentTo('sent')).toHaveLength(1);
    runtime.budgetWaitQueue.close();
    platform.budgetsOf = () => [];
    await kysely.updateTable('outbound_part').set({ next_attempt_at: runtime.clock.now() }).execute();
    const { reached, response } = hangIn('sent');
    const sending = sendLane(dependencies, keyOf('sent'));
    await reached;
    await receive({ id: 'sent 2', chat: 'sent', text: 'And?' });
    await answerLane(dependencies, keyOf('sent'));
    expect(await waitingEvents('sent')).toHaveLength(1);
    const woken = vi.spyOn(runtime.queue, 'add');
    response.resolve();
    await sending;
    expect(woken).toHaveBeenCalledExactlyOnceWith(
      'answer',
      expect.any(String),
      keyOf('sent'),
      expect.anything(),
    );
    woken.mockRestore();
    expect(await holderOf('sent')).toBeNull();
    await answerLane(dependencies, keyOf('sent'));
    expect(sentTo('sent').at(-1)).toBe('You asked: And?');
  });

  test('holds no lease while an event waits, even if an earlier one is due', async () => {
    await pipeline.start();
    const native = (id: string) => ({ id, chat: 'waits', text: id });
    await pipeline.receiveRaw([
      { id: 'due', lane: 'waits', native: native('due') },
      { id: 'later', lane: 'waits', native: native('later'), settleMs: 3_600_000 },
    ]);
    await settled(async () => expect(await holderOf('waits')).toBeNull());
    expect(await waitingEvents('waits')).toHaveLength(2);
  });

  test('holds no lease while a part waits for a budget', async () => {
    await pipeline.start();
    platform.budgetsOf = () => [{ key: 'another an hour', everyMs: 3_600_000, burst: 1 }];
    await receive({ id: 'budget', chat: 'budget', text: 'x'.repeat(60) });
    await settled(() => expect(sentTo('budget')).toHaveLength(1));
    await settled(async () => expect(await holderOf('budget')).toBeNull());
    await receive({ id: 'budget 2', chat: 'budget', text: 'And?' });
    await settled(async () => expect(await waitingEvents('budget')).toEqual([]));
    await settled(async () => expect(await holderOf('budget')).toBeNull());
    expect(sentTo('budget')).toHaveLength(1);
  });
});
