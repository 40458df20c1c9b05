import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { expireUncollectedParts } from '../../../../core/channels/outbound/pull-delivery.ts';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { buildApp } from '../../../../server/app.ts';
import { type CallRequest, fakeCallChannel } from '../../../helpers/platforms/fake/call-channel.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';

const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const heard = z.object({ texts: z.array(z.string()), isAnswering: z.boolean(), withPerson: z.boolean() });

describe.each(testEngines)('pull delivery on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const hold = { until: Promise.resolve() };
  const writer: AnswerWriter = {
    async *write({ question }) {
      await hold.until;
      yield { text: `You said: ${question}` };
    },
  };
  const connector = fakeCallChannel();
  const server = await openPipelineServer({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({
      writer,
      connectors: { connectors: [connector], findConnector: () => connector },
    }),
  });
  await server.start();
  const { app, channel, platform, runtime } = server;
  const call = async (request: CallRequest) => {
    const response = await app.inject({ method: 'POST', url: `/webhooks/${channel.id}`, payload: request });
    return heard.parse(response.json());
  };
  /** Keeps the answer out of the event of the request, so that it is stored however busy the machine is. */
  const askAndLeave = async (request: CallRequest) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await call(request);
    resolve();
    await settled(async () => expect(await partsIn(request.chat)).toMatchObject([{ status: 'collectable' }]));
  };
  const hangUp = (chat: string, over: string) =>
    app.inject({ method: 'POST', url: `/webhooks/${channel.id}`, payload: { chat, call: over, over: true } });
  const partsIn = (chat: string) =>
    runtime.database.kysely
      .selectFrom('outbound_part')
      .select(['status', 'failure'])
      .where('lane', '=', chat)
      .orderBy('number')
      .execute();

  test('answers a request as soon as the answer is stored, and sends nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    // Longer than a test may take, so nothing waits for its end.
    const waiting = call({ chat: 'a', call: 'a1', says: { id: '1', text: 'Parcels' }, waitMs: 60_000 });
    await settled(async () =>
      expect(await call({ chat: 'a', call: 'a1' })).toMatchObject({ isAnswering: true }),
    );
    resolve();
    expect(await waiting).toEqual({ texts: ['You said: Parcels'], isAnswering: false, withPerson: false });
    expect(await partsIn('a')).toEqual([{ status: 'sent', failure: null }]);
    expect(platform.sent).toEqual([]);
  });

  test('answers a request after its wait with "still answering", and gives the answer to the next request', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    const early = await call({ chat: 'b', call: 'b1', says: { id: '2', text: 'Parcels' }, waitMs: 50 });
    expect(early).toEqual({ texts: [], isAnswering: true, withPerson: false });
    const later = call({ chat: 'b', call: 'b1', waitMs: 60_000 });
    resolve();
    expect(await later).toMatchObject({ texts: ['You said: Parcels'] });
  });

  test('stores what a caller said if the database fails after their request was answered', async () => {
    const answered = Promise.withResolvers<void>();
    const accepting = vi.spyOn(runtime.inbound, 'accept').mockImplementationOnce(async () => {
      await answered.promise;
      throw new Error('Connection terminated unexpectedly');
    });
    const says = { id: 'fault', text: 'Parcels' };
    expect(await call({ chat: 'j', call: 'j1', says, waitMs: 0 })).toMatchObject({ isAnswering: true });
    answered.resolve();
    expect(await call({ chat: 'j', call: 'j1', waitMs: 60_000 })).toMatchObject({
      texts: ['You said: Parcels'],
    });
    accepting.mockRestore();
  });

  test('wakes a waiting request before its next poll', async () => {
    const tookMs: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const says = { id: `woken-${turn}`, text: 'Parcels' };
      const begun = performance.now();
      expect(await call({ chat: 'w', call: 'w1', says, waitMs: 20_000 })).toMatchObject({
        texts: ['You said: Parcels'],
      });
      tookMs.push(performance.now() - begun);
    }
    // Polling alone would take a second for each request.
    expect(Math.min(...tookMs)).toBeLessThan(1_000);
  });

  test('gives each part to exactly one of ten concurrent requests', async () => {
    const says = {
      id: '3',
      text: 'A long question, so that its answer has several parts when it is rendered',
    };
    const first = call({ chat: 'c', call: 'c1', says, waitMs: 20_000 });
    const others = Array.from({ length: 9 }, () => call({ chat: 'c', call: 'c1', waitMs: 20_000 }));
    const texts = (await Promise.all([first, ...others])).flatMap((each) => each.texts);
    expect(texts.join('')).toBe(`You said: ${says.text}`);
    expect(texts.length).toBeGreaterThan(1);
  });

  test('handles a repeated event once and without waiting', async () => {
    const says = { id: '4', text: 'Once' };
    expect(await call({ chat: 'd', call: 'd1', says, waitMs: 20_000 })).toMatchObject({
      texts: ['You said: Once'],
    });
    expect(await call({ chat: 'd', call: 'd1', says, waitMs: 20_000 })).toEqual({
      texts: [],
      isAnswering: false,
      withPerson: false,
    });
  });

  test('never gives parts of one call to another call in the same lane', async () => {
    await askAndLeave({ chat: 'e', call: 'e1', says: { id: '5', text: 'First' } });
    expect(await call({ chat: 'e', call: 'e2', waitMs: 20_000 })).toMatchObject({ texts: [] });
    expect(await call({ chat: 'e', call: 'e1' })).toMatchObject({ texts: ['You said: First'] });
  });

  test("does not wait while an agent has the conversation, and delivers the agent's reply", async () => {
    await call({ chat: 'f', call: 'f1', says: { id: '6', text: 'Parcels' }, waitMs: 20_000 });
    const id = await server.conversationIn('f');
    const path = `/workspaces/${server.workspace.id}/conversations/${id}/reply`;
    await server.operate('POST', path, { content: 'Bea here.', author_email: 'bea@shop.example' });
    expect(await call({ chat: 'f', call: 'f1', waitMs: 20_000 })).toMatchObject({
      texts: ['Bea here.'],
      withPerson: true,
    });
    const silent = await call({ chat: 'f', call: 'f1', says: { id: '7', text: 'And?' }, waitMs: 20_000 });
    expect(silent).toEqual({ texts: [], isAnswering: false, withPerson: true });
  });

  test('fails uncollected parts at the end of a call and marks the lane unreachable', async () => {
    await askAndLeave({ chat: 'g', call: 'g1', says: { id: '8', text: 'Parcels' } });
    await hangUp('g', 'g1');
    const given = { status: 'failed', failure: 'The call has ended.' };
    await settled(async () => expect(await partsIn('g')).toEqual([given]));
    const id = await server.conversationIn('g');
    const path = `/workspaces/${server.workspace.id}/conversations/${id}/reply`;
    const reply = await server.operate('POST', path, { content: 'Hi', author_email: 'bea@shop.example' });
    expect(reply.json()).toMatchObject({ code: 'channel_unreachable' });
  });

  test('fails parts that are uncollected after five minutes, and no newer ones', async () => {
    await askAndLeave({ chat: 'h', call: 'h1', says: { id: '9', text: 'Parcels' } });
    const { kysely } = runtime.database;
    await expireUncollectedParts(kysely, new Date(Date.now() + 4 * 60_000));
    expect(await partsIn('h')).toMatchObject([{ status: 'collectable' }]);
    await expireUncollectedParts(kysely, new Date(Date.now() + 6 * 60_000));
    expect(await partsIn('h')).toMatchObject([{ status: 'failed' }]);
  });

  test('answers waiting requests when the server stops', async () => {
    const other = buildApp(runtime);
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    const payload: CallRequest = {
      chat: 'i',
      call: 'i1',
      says: { id: '10', text: 'Parcels' },
      waitMs: 60_000,
    };
    const waiting = other.inject({ method: 'POST', url: `/webhooks/${channel.id}`, payload });
    await settled(async () =>
      expect(await call({ chat: 'i', call: 'i1' })).toMatchObject({ isAnswering: true }),
    );
    await other.drain();
    expect((await waiting).json()).toMatchObject({ texts: [], isAnswering: true });
    await other.close();
    // Closing the server waits for requests in progress.
    resolve();
  });
});
