import { once } from 'node:events';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { type AppOptions, buildApp } from '../../../server/app.ts';
import { answerLane } from '../../../workers/answer/answer-lane.ts';
import { fakeSocketChannel } from '../../helpers/platforms/fake/socket-channel.ts';
import { openSocket, refusedWith } from '../../helpers/platforms/fake/socket-client.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const addressSchema = z.object({ port: z.number() });

describe.each(testEngines)('sockets of platforms, on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const hold = { until: Promise.resolve() };
  const asked: string[] = [];
  const writer: AnswerWriter = {
    async *write({ question, signal }) {
      asked.push(question);
      yield { text: 'I heard ' };
      await Promise.race([
        hold.until,
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]);
      yield { text: `${question}.` };
    },
  };
  const connector = fakeSocketChannel();
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer, connectors: { connectors: [connector], findConnector: () => connector } }),
  });
  const { runtime, channel, receive } = pipeline;
  const listen = async (sockets: NonNullable<AppOptions['sockets']> = {}) => {
    const app = buildApp(runtime, { sockets });
    afterAll(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = addressSchema.parse(app.server.address());
    return { app, url: `ws://127.0.0.1:${port}/webhooks/${channel.id}` };
  };
  const { app, url } = await listen();
  const messagesIn = async (chat: string) =>
    (await pipeline.messages())
      .filter(({ session_id }) => session_id?.endsWith(`:${chat}`))
      .map(({ role, content }) => `${role}: ${content}`);
  const partsIn = (chat: string) =>
    runtime.database.kysely.selectFrom('outbound_part').select('status').where('lane', '=', chat).execute();

  test('only the platform can open one', async () => {
    expect(await refusedWith(url, { 'x-signature': 'forged' })).toBe(401);
    expect(await refusedWith(url.replace(channel.id, 'chan_of_nobody'), {})).toBe(404);
    expect(await refusedWith(url.replace(/webhooks.*/, 'nowhere'), {})).toBe(404);
  });

  test('a message is answered piece by piece, stored, and counts as sent', async () => {
    const visitor = await openSocket(url);
    const answer = await visitor.ask('1', 'a', 'Red socks');
    expect(answer).toMatchObject({ text: 'I heard Red socks.', handover: false });
    expect(visitor.tokens()).toBe('I heard Red socks.');
    expect(await messagesIn('a')).toEqual(['user: Red socks', 'assistant: I heard Red socks.']);
    expect(await partsIn('a')).toEqual([{ status: 'sent' }]);
    visitor.socket.close();
  });

  test('the first piece arrives while the answer is generated', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    const visitor = await openSocket(url);
    const answer = visitor.ask('2', 'b', 'Red socks');
    await visitor.until(() => visitor.tokens() !== '');
    resolve();
    expect(await answer).toMatchObject({ text: 'I heard Red socks.' });
    visitor.socket.close();
  });

  test('an interruption keeps the spoken part and drops the rest', async () => {
    hold.until = new Promise(() => {});
    const visitor = await openSocket(url);
    const answer = visitor.ask('3', 'c', 'Red socks');
    await visitor.until(() => visitor.tokens() !== '');
    visitor.tell({ type: 'interrupts' });
    const stored = await answer;
    expect(stored?.text).toMatch(/^I\b/);
    hold.until = Promise.resolve();
    visitor.tell({ type: 'heard', messageId: stored?.messageId ?? '', text: 'I' });
    await visitor.until(() => visitor.texts.some(({ cut }) => cut === true));
    expect(await messagesIn('c')).toEqual(['user: Red socks', 'assistant: I']);
    const [row] = await runtime.database.kysely
      .selectFrom('message')
      .select(['ended', 'terms'])
      .where('id', '=', stored?.messageId ?? '')
      .execute();
    expect(row).toMatchObject({ ended: 'cancelled' });
    expect(row?.terms).toHaveLength(1);
    visitor.socket.close();
  });

  test('an interruption does not affect another workspace', async () => {
    const visitor = await openSocket(url);
    const answer = await visitor.ask('4', 'd', 'Red socks');
    await runtime.database.kysely
      .updateTable('channel')
      .set({ workspace_id: (await runtime.workspaces.create({ name: 'Other', settings: {} })).workspace.id })
      .where('id', '=', channel.id)
      .execute();
    runtime.channelAccounts.forget();
    const other = await openSocket(url);
    other.tell({ type: 'heard', messageId: answer?.messageId ?? '', text: '' });
    await other.until(() => other.texts.some(({ cut }) => cut === true));
    expect(await messagesIn('d')).toContain('assistant: I heard Red socks.');
    await runtime.database.kysely
      .updateTable('channel')
      .set({ workspace_id: pipeline.workspace.id })
      .where('id', '=', channel.id)
      .execute();
    runtime.channelAccounts.forget();
    visitor.socket.close();
    other.socket.close();
  });

  test('waits for a worker that holds the lane, and returns its complete answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await receive({ id: '5', chat: 'e', text: 'Before' });
    const signal = new AbortController().signal;
    const dependencies = { ...runtime, findAccount: createAccountFinder(runtime), signal };
    const working = answerLane(dependencies, { channelId: channel.id, lane: 'e' });
    await settled(() => expect(asked).toContain('Before'));
    const visitor = await openSocket(url);
    const answer = visitor.ask('6', 'e', 'Red socks');
    await settled(async () => {
      const { rows } = await runtime.database.pool.query(`select 1 from inbound_event where event_id = '6'`);
      expect(rows).toHaveLength(1);
    });
    resolve();
    await working;
    expect(await answer).toMatchObject({ text: 'I heard Red socks.' });
    expect(visitor.tokens()).toBe('');
    expect(await messagesIn('e')).toHaveLength(4);
    visitor.socket.close();
  });

  test('repeated words have one effect', async () => {
    hold.until = Promise.resolve();
    const visitor = await openSocket(url);
    const first = await visitor.ask('7', 'f', 'Red socks');
    expect(await visitor.ask('7', 'f', 'Red socks')).toMatchObject({ messageId: first?.messageId });
    expect(await messagesIn('f')).toHaveLength(2);
    visitor.socket.close();
  });

  test('answers fifty concurrent sockets, each with its own words', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const visitor = await openSocket(url);
        const answer = await visitor.ask(`many-${index}`, `many-${index}`, `I am ${index}`);
        visitor.socket.close();
        return answer?.text;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 50 }, (_, index) => `I heard I am ${index}.`));
  });

  test('closes a socket that sends nothing, too much, or binary data', async () => {
    const hasty = await listen({ silenceMs: 50 });
    expect(await (await openSocket(hasty.url)).closed).toBe(1_008);
    const loud = await openSocket(url);
    loud.socket.send('x'.repeat(70_000));
    expect(await loud.closed).toBe(1_009);
    const odd = await openSocket(url);
    odd.socket.send(Buffer.from('bytes'), { binary: true });
    expect(await odd.closed).toBe(1_003);
  });

  test('rejects an IP address with too many silent sockets, until one sends a message', async () => {
    const narrow = await listen({ pending: 2 });
    const first = await openSocket(narrow.url);
    const second = await openSocket(narrow.url);
    expect(await refusedWith(narrow.url, { 'x-signature': 'let-me-in' })).toBe(429);
    await first.ask('8', 'g', 'Red socks');
    const third = await openSocket(narrow.url);
    for (const { socket } of [first, second, third]) socket.close();
  });

  test('closes a socket that is dead', async () => {
    const watchful = await listen({ pingMs: 30 });
    const gone = new WebSocket(watchful.url, { headers: { 'x-signature': 'let-me-in' }, autoPong: false });
    const closed = once(gone, 'close');
    await once(gone, 'open');
    expect((await closed)[0]).toBe(1_006);
  });

  test('a stopping server lets answers end and then closes the sockets with a reason', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    const ending = await listen();
    const visitor = await openSocket(ending.url);
    const answer = visitor.ask('9', 'h', 'Red socks');
    await visitor.until(() => visitor.tokens() !== '');
    const drained = ending.app.drain();
    expect(await refusedWith(ending.url, { 'x-signature': 'let-me-in' })).toBe(503);
    resolve();
    expect(await answer).toMatchObject({ text: 'I heard Red socks.' });
    await ending.app.cutOff();
    expect(await visitor.closed).toBe(1_012);
    await drained;
  });

  test('ends the connection of a socket request without a route', async () => {
    expect(await refusedWith(url.replace(/webhooks.*/, 'v1/conversations'), {})).toBe(401);
    expect(app.server.listening).toBe(true);
  });
});
