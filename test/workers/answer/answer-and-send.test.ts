import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import { retryFailures } from '../../../core/channels/inbound/failed-jobs.ts';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FakeMessage } from '../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

let last = 0;
const say = (chat: string, text: string, more: Partial<FakeMessage> = {}): FakeMessage => {
  last += 1;
  return { id: `e${last}`, chat, text, ...more };
};

describe.each(testEngines)('channel messages on %s', async (engine) => {
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
  const { platform, receive } = pipeline;
  await pipeline.start();
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

  beforeEach(() => {
    asked.length = 0;
    hold.until = Promise.resolve();
    platform.sending = async () => {};
  });

  test('are answered in their conversation, with a typing indicator', async () => {
    const before = platform.typing;
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await receive(say('a', 'A red sock'));
    await settled(() => expect(platform.typing).toBeGreaterThan(before));
    resolve();
    await settled(() => expect(sentTo('a')).toEqual(['You asked: A red sock']));
  });

  test('are handled once if the platform repeats them', async () => {
    const message = say('b', 'Only once');
    await Promise.all([receive(message), receive(message), receive(message, message)]);
    await receive(message);
    await receive(say('b', 'And then'));
    await settled(() => expect(sentTo('b').join('|')).toContain('And then'));
    expect(
      sentTo('b')
        .join('|')
        .match(/Only once/gu),
    ).toHaveLength(1);
  });

  test('that arrive during an answer are answered together, in order', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await receive(say('c', 'first'));
    await settled(() => expect(asked).toEqual(['first']));
    for (const text of ['second', 'third', 'fourth']) await receive(say('c', text));
    resolve();
    await settled(() =>
      expect(sentTo('c')).toEqual(['You asked: first', 'You asked: second\nthird\nfourth']),
    );
  });

  test('that arrive while an answer is sent are answered after it, and the lane is released', async () => {
    const sending = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    platform.sending = async ({ chat, text }) => {
      if (chat !== 'c2' || !text.includes('first')) return;
      sending.resolve();
      await held.promise;
    };
    await receive(say('c2', 'first'));
    await sending.promise;
    await receive(say('c2', 'second'));
    held.resolve();
    await settled(() => expect(sentTo('c2')).toEqual(['You asked: first', 'You asked: second']));
    await settled(async () => {
      const { rows } = await pipeline.runtime.database.pool.query(
        `select holder from lane where lane = 'c2'`,
      );
      expect(rows).toEqual([{ holder: null }]);
    });
  });

  test('become one conversation if a hundred first messages arrive at once', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => receive(say('d', `n${index}`))));
    await settled(() => expect(sentTo('d').join('')).toContain('n99'));
    await settled(async () => {
      const said = (await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':d'));
      const words = said.filter(({ role }) => role === 'user').flatMap(({ content }) => content.split('\n'));
      expect(words.toSorted()).toEqual(Array.from({ length: 100 }, (_, index) => `n${index}`).toSorted());
    });
    const { rows } = await pipeline.runtime.database.pool.query(
      `select count(*)::int as count from conversation where session_id like '%:d'`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('of different conversations are answered concurrently', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await Promise.all(['e1', 'e2', 'e3', 'e4'].map((chat) => receive(say(chat, chat))));
    await settled(() => expect(asked.toSorted()).toEqual(['e1', 'e2', 'e3', 'e4']));
    resolve();
    await settled(() => expect(sentTo('e4')).toHaveLength(1));
  });

  test('that are not addressed to the bot are not answered', async () => {
    await receive(
      say('f', 'I am a bot', { kind: 'machine' }),
      say('f', 'I am you', { kind: 'self' }),
      say('f', 'among ourselves', { addressed: false }),
      { id: 'odd', chat: 'f', from: 'x', text: 'x', command: null, kind: 'person', addressed: true },
    );
    await settled(() => expect(sentTo('f')).toEqual(['You asked: x']));
  });

  test('without readable content get an answer that says so', async () => {
    await receive(say('g', '', { file: true }));
    await settled(() => expect(sentTo('g').join('')).toMatch(/cannot read pictures/));
    const { rows } = await pipeline.runtime.database.pool.query(
      `select metadata -> 'attachments' -> 0 ->> 'kind' as kind from message where role = 'user' and content = '/file'`,
    );
    expect(rows).toEqual([{ kind: 'image' }]);
  });

  test('with a file and text are answered with a sentence about the file', async () => {
    await receive(say('g2', 'Why is it red?', { file: true }));
    const words =
      'You asked: Why is it red?\n\nI have not seen what you attached: I cannot read pictures, recordings and files yet.';
    await settled(() => expect(sentTo('g2').join('')).toBe(words));
    const said = (await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':g2'));
    expect(said.at(-1)?.content).toBe(words);
  });

  test('with commands greet, help and hand over to a person, after which the bot is silent', async () => {
    await receive(say('h', '', { command: 'start' }));
    await settled(() => expect(sentTo('h').join('')).toMatch(/^Hello!/));
    await receive(say('h', '', { command: 'human' }));
    await settled(() =>
      expect(sentTo('h').join('')).toMatch(/passed this conversation on.+answer you here\.$/),
    );
    const count = sentTo('h').length;
    await receive(say('h', 'Is anybody there?'));
    await settled(async () => {
      const said = (await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':h'));
      expect(said.at(-1)).toMatchObject({ role: 'user', content: 'Is anybody there?', status: 'escalated' });
    });
    expect(sentTo('h')).toHaveLength(count);
  });

  test('are not answered if an agent takes over while the answer is generated', async () => {
    await receive(say('i', 'one'));
    await settled(() => expect(sentTo('i')).toHaveLength(1));
    const { promise, resolve } = Promise.withResolvers<void>();
    hold.until = promise;
    await receive(say('i', 'two'));
    await settled(() => expect(asked).toContain('two'));
    await pipeline.runtime.database.pool.query(
      `update conversation set status = 'claimed' where session_id like '%:i'`,
    );
    resolve();
    await settled(async () => {
      const said = (await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':i'));
      expect(said.at(-1)).toMatchObject({ role: 'user', content: 'two', status: 'claimed' });
    });
    expect(sentTo('i')).toEqual(['You asked: one']);
  });

  test('have failed parts retried before later parts are sent', async () => {
    const long = 'x'.repeat(100);
    let refused = 0;
    platform.sending = async ({ chat, text }) => {
      if (chat !== 'j' || refused > 0 || !text.startsWith('You asked')) return;
      refused += 1;
      throw new ConnectorError('Too Many Requests', { advice: { retry: 'after', afterMs: 300 } });
    };
    await receive(say('j', long));
    await settled(() => expect(sentTo('j')).toHaveLength(2));
    expect(sentTo('j').join('')).toBe(`You asked: ${long}`);
    expect(refused).toBe(1);
  });

  test('are retried after a failure and finally get an apology', async () => {
    hold.until = Promise.reject(new AppError('provider_down'));
    hold.until.catch(() => {});
    await receive(say('m', 'anybody?'));
    await settled(() => expect(sentTo('m').join('')).toMatch(/could not make an answer just now/));
    expect(asked).toEqual(['anybody?', 'anybody?', 'anybody?']);
  });

  test('that the platform refuses permanently are not retried and keep the reason', async () => {
    platform.sending = async () => {
      throw new ConnectorError('Forbidden: bot was blocked by the user', { advice: { retry: 'never' } });
    };
    await receive(say('k', 'red sock'));
    await settled(async () =>
      expect((await pipeline.parts()).at(-1)).toMatchObject({
        status: 'failed',
        failure: 'Forbidden: bot was blocked by the user',
      }),
    );
  });

  test('that the account may not send are kept, reported and sent when the operator retries', async () => {
    platform.sending = async () => {
      throw new ConnectorError('token_revoked', { advice: { retry: 'never' }, account: true });
    };
    await receive(say('revoked', 'red sock'));
    await settled(async () =>
      expect((await pipeline.parts()).at(-1)).toMatchObject({ status: 'dead', failure: 'token_revoked' }),
    );
    const shown = () =>
      pipeline.runtime.database.kysely
        .selectFrom('channel')
        .select(['status', 'last_error'])
        .where('id', '=', pipeline.channel.id)
        .executeTakeFirst();
    expect(await shown()).toEqual({ status: 'error', last_error: 'token_revoked' });
    platform.sending = async () => {};
    await retryFailures(pipeline.runtime, 'deliver', pipeline.channel.id);
    await settled(() => expect(sentTo('revoked')).toEqual(['You asked: red sock']));
    await settled(async () => expect(await shown()).toEqual({ status: 'connected', last_error: null }));
  });

  test('that may have overtaken another wait in a new lane only', async () => {
    const waits = async (id: string, lane: string) => {
      await pipeline.receiveRaw([{ id, lane, native: {}, settleIfFirstMs: 60_000 }]);
      const { rows } = await pipeline.runtime.database.pool.query(
        'select settled_at > clock_timestamp() as waits from inbound_event where event_id = $1',
        [id],
      );
      return rows;
    };
    expect(await waits('o1', 'overtaken')).toEqual([{ waits: true }]);
    await pipeline.receiveRaw([{ id: 'o2', lane: 'known', native: {} }]);
    expect(await waits('o3', 'known')).toEqual([{ waits: false }]);
  });

  test('are answered without characters that the database cannot store', async () => {
    await receive(say('nul', 're\0d sock \ud83d'));
    await settled(() => expect(sentTo('nul')).toEqual(['You asked: red sock \ufffd']));
  });

  test('that settle later are answered together', async () => {
    const native = (text: string) => ({ id: text, chat: 'l', text });
    await pipeline.receiveRaw([{ id: 'l1', lane: 'l', native: native('album 1'), settleMs: 400 }]);
    await pipeline.receiveRaw([{ id: 'l2', lane: 'l', native: native('album 2'), settleMs: 400 }]);
    await settled(() => expect(sentTo('l')).toEqual(['You asked: album 1\nalbum 2']));
  });
});
