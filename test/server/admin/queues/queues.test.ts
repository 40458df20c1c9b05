import { describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';

const writer: AnswerWriter = {
  async *write({ question }) {
    yield { text: `You asked: ${question}` };
  },
};
const server = await openPipelineServer({ settings: { strictness: 'fallback' }, alter: () => ({ writer }) });
const { app, runtime, workspace, channel, platform, receive, operate } = server;
const { kysely } = runtime.database;

const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
const overview = async () => (await operate('GET', '/queues')).json();
const failuresOf = async (name: string, query = '') =>
  (await operate('GET', `/queues/${name}/failures${query}`)).json();
let last = 0;
const say = async (chat: string, text: string) => {
  last += 1;
  await receive({ id: `e${last}`, chat, text });
};
const giveUp = (chat: string) =>
  kysely
    .updateTable('inbound_event')
    .set({ failure: 'It broke.', attempts: 3 })
    .where('lane', '=', chat)
    .execute();
const refuse = (advice: ConnectorError['advice']) => {
  platform.sending = async () => {
    throw new ConnectorError('Not now', { advice });
  };
};
/** Skips to the last attempt, after a failed first one. */
const skipTries = async () => {
  const { numUpdatedRows } = await kysely
    .updateTable('outbound_part')
    .set({ attempts: 7 })
    .where('status', '=', 'waiting')
    .where('attempts', '=', 1)
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
};
const accept = () => {
  platform.sending = async () => {};
};

const idle = {
  id: channel.id,
  workspace_id: workspace.id,
  channel: 'fake',
  name: 'Test',
  enabled: true,
  status: 'connecting',
  stale: false,
  heard_at: null,
  last_error: null,
  unanswered: 0,
  oldest_unanswered_at: null,
  unanswerable: 0,
  unsent: 0,
  oldest_unsent_at: null,
  dead: 0,
  failed: 0,
  held_until: null,
};

describe.sequential('the backlog and failed jobs', () => {
  test('200: reports zeros if nothing has happened', async () => {
    const { queues, channels } = await overview();
    expect(channels).toEqual([idle]);
    expect(queues).toContainEqual({ name: 'answer', waiting: 0, delayed: 0, active: 0, failed: 0 });
    expect(await failuresOf('answer')).toEqual({
      failures: [],
      pagination: { next_cursor: null, has_more: false },
    });
  });

  test('200: reports unanswered messages with their age, and failed ones', async () => {
    await say('a', 'first');
    await say('b', 'second');
    await say('b', 'third');
    await giveUp('b');
    const { channels } = await overview();
    expect(channels).toEqual([
      { ...idle, unanswered: 1, oldest_unanswered_at: expect.any(String), unanswerable: 2 },
    ]);
    // Webhooks are acknowledged before the workers are woken.
    await settled(async () =>
      expect((await overview()).queues).toContainEqual({
        name: 'answer',
        waiting: 3,
        delayed: 0,
        active: 0,
        failed: 0,
      }),
    );
  });

  test("200: returns failures in pages, newest first, without the visitor's text", async () => {
    const first = await failuresOf('answer', '?limit=1');
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = await failuresOf('answer', `?limit=1&cursor=${cursor}`);
    const [{ id: later }] = first.failures;
    expect(first.failures).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        channel_id: channel.id,
        conversation_id: null,
        reason: 'It broke.',
        attempts: 3,
        retriable: true,
        at: expect.any(String),
      },
    ]);
    expect(Number(second.failures[0].id)).toBeLessThan(Number(later));
    expect(second.pagination).toEqual({ next_cursor: null, has_more: false });
    expect(JSON.stringify([first, second])).not.toMatch(/second|third/);
  });

  test('200: answers failed messages after a retry', async () => {
    await server.start();
    await settled(() => expect(sentTo('a')).toEqual(['You asked: first']));
    expect(sentTo('b')).toEqual([]);
    const response = await operate('POST', '/queues/answer/retry');
    expect([response.statusCode, response.json()]).toEqual([200, { retried: 2 }]);
    await settled(() => expect(sentTo('b')).toEqual(['You asked: second\nthird']));
    await settled(async () => expect((await overview()).channels).toEqual([idle]));
    expect((await operate('POST', '/queues/answer/retry')).json()).toEqual({ retried: 0 });
  });

  test('200: sends a part that failed eight times after a retry', async () => {
    refuse({ retry: 'after', afterMs: 0 });
    await say('c', 'deliver me');
    await settled(skipTries);
    await settled(async () => expect((await overview()).channels).toEqual([{ ...idle, dead: 1 }]));
    expect((await failuresOf('deliver')).failures).toEqual([
      {
        id: expect.any(String),
        channel_id: channel.id,
        conversation_id: await server.conversationIn('c'),
        reason: 'Not now',
        attempts: 8,
        retriable: true,
        at: expect.any(String),
      },
    ]);
    accept();
    const response = await operate('POST', '/queues/deliver/retry', { channel_id: channel.id });
    expect([response.statusCode, response.json()]).toEqual([200, { retried: 1 }]);
    await settled(() => expect(sentTo('c')).toEqual(['You asked: deliver me']));
    expect((await failuresOf('deliver')).failures).toEqual([]);
  });

  test("200: reports a platform's rate limit until it ends", async () => {
    platform.budgetsOf = () => [{ key: 'account', everyMs: 1, burst: 1 }];
    const afterMs = 1_500;
    const advice = { retry: 'after', afterMs, limited: 'account' } as const;
    refuse(advice);
    await say('l', 'Later');
    await settled(async () => {
      const [now] = (await overview()).channels;
      expect(now).toMatchObject({ unsent: 1, held_until: expect.any(String) });
      expect(Math.abs(Date.parse(now.held_until) - Date.now() - afterMs)).toBeLessThan(afterMs);
    });
    accept();
    await settled(() => expect(sentTo('l')).toEqual(['You asked: Later']));
    await settled(async () => expect((await overview()).channels).toEqual([idle]));
  });

  test('200: lists permanently rejected parts and does not retry them', async () => {
    refuse({ retry: 'never' });
    await say('d', 'never');
    await settled(async () => expect((await overview()).channels).toEqual([{ ...idle, failed: 1 }]));
    expect((await failuresOf('deliver')).failures).toMatchObject([{ attempts: 1, retriable: false }]);
    accept();
    expect((await operate('POST', '/queues/deliver/retry', {})).json()).toEqual({ retried: 0 });
  });
});

test.each([
  ['GET', '/queues'],
  ['GET', '/queues/answer/failures'],
  ['POST', '/queues/answer/retry'],
] as const)('401: %s %s requires the operator token', async (method, path) => {
  expect((await app.inject({ method, url: `/admin/v1${path}` })).statusCode).toBe(401);
});

test.each([
  ['GET', '/queues/ingest/failures'],
  ['GET', '/queues/no-such/failures'],
  ['POST', '/queues/ingest/retry'],
  ['POST', '/queues/no-such/retry'],
] as const)('404: %s %s stores no failed jobs', async (method, path) => {
  const response = await operate(method, path);
  expect([response.statusCode, response.json().code]).toEqual([404, 'queue_not_found']);
});

test('404: rejects a retry for an unknown channel', async () => {
  const response = await operate('POST', '/queues/answer/retry', { channel_id: 'chan_none' });
  expect([response.statusCode, response.json().code]).toEqual([404, 'channel_not_found']);
});

test('422: rejects a cursor of another list, an invalid limit, and a channel that is not a string', async () => {
  const codes = [
    await operate('GET', '/queues/answer/failures?cursor=nonsense'),
    await operate('GET', '/queues/answer/failures?limit=0'),
    await operate('POST', '/queues/answer/retry', { channel_id: 7 }),
  ].map((response) => [response.statusCode, response.json().code]);
  expect(codes).toEqual([
    [422, 'invalid_cursor'],
    [422, 'invalid_limit'],
    [422, 'invalid_channel_id'],
  ]);
});
