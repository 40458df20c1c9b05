import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerWriter, WritingTask } from '../../../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import type { FakeMessage } from '../../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

let last = 0;
const say = (chat: string, text: string, more: Partial<FakeMessage> = {}): FakeMessage => {
  last += 1;
  return { id: `o${last}`, chat, text, ...more };
};
const talk = [
  { author: 'Ben', text: 'How long does a refund take?' },
  { author: 'Cleo', text: 'I want to speak to a human! My mail is cleo@example.com.' },
];
const refused = async () => {
  throw new ConnectorError('missing_scope', { advice: { retry: 'never' } });
};

describe.each(testEngines)('a visitor who addresses the bot in a running thread on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const tasks: WritingTask[] = [];
  const writer: AnswerWriter = {
    async *write(task) {
      tasks.push(task);
      yield { text: `You asked: ${task.question}` };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { platform, receive, runtime } = pipeline;
  await pipeline.start();
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const conversationIn = async (chat: string): Promise<Record<string, unknown>> => {
    const { rows } = await runtime.database.pool.query(
      `select status, summary, customer_name, customer_email,
              (select json_agg(content) from note where conversation_id = conversation.id) as notes,
              (select metadata -> 'sender' ->> 'name' from message
               where conversation_id = conversation.id and role = 'user' order by position limit 1) as sender
       from conversation where session_id like $1`,
      [`%:${chat}`],
    );
    return rows[0];
  };

  beforeEach(() => {
    tasks.length = 0;
    platform.earlierIn = async () => talk;
  });

  test('is answered with the earlier messages as data, which an agent can read after a takeover', async () => {
    await receive(say('a', 'And that?'));
    await settled(() => expect(sentTo('a')).toEqual(['You asked: And that?']));
    expect(tasks.at(0)).toMatchObject({
      earlierTurns: [],
      summary: expect.stringContaining('Ben: How long does a refund take?\nCleo: I want'),
    });
    expect((await conversationIn('a')).notes).toEqual([
      'Messages before the first question:\nBen: How long does a refund take?\nCleo: I want to speak to a human! My mail is cleo@example.com.',
    ]);
  });

  test('triggers no skill by the messages of others', async () => {
    await receive(say('b', 'Can you help Ann?'));
    await settled(() => expect(sentTo('b')).toEqual(['You asked: Can you help Ann?']));
    expect(await conversationIn('b')).toMatchObject({ status: 'open', customer_email: null });
  });

  test('keeps the context in later questions, and it is read once', async () => {
    let reads = 0;
    platform.earlierIn = async () => {
      reads += 1;
      return talk;
    };
    for (const text of ['First', 'Second']) {
      await receive(say('c', text));
      await settled(() => expect(sentTo('c').at(-1)).toBe(`You asked: ${text}`));
    }
    expect(tasks.at(-1)).toMatchObject({
      summary: expect.stringContaining('How long does a refund take?'),
      earlierTurns: [{ question: 'First' }],
    });
    expect(reads).toBe(1);
  });

  test('is answered without context if the platform does not provide it', async () => {
    platform.earlierIn = refused;
    await receive(say('d', 'Red socks'));
    await settled(() => expect(sentTo('d')).toEqual(['You asked: Red socks']));
    expect(tasks.at(0)).toMatchObject({ summary: null });
    expect((await conversationIn('d')).notes).toBeNull();
  });

  test('gets context with long messages truncated and unstorable characters removed', async () => {
    platform.earlierIn = async () => [{ author: 'B\0en', text: `\0${'x'.repeat(5_000)}` }];
    await receive(say('e', 'Red socks'));
    await settled(() => expect(sentTo('e')).toHaveLength(1));
    const { notes, summary } = await conversationIn('e');
    expect(String(notes)).toMatch(/\nBen: x{1999}…$/);
    expect(String(summary)).toMatch(/^Ben: x{299}…$/);
  });
});

test('gets a search with that context for a question that refers to it, even without a model', async () => {
  const pipeline = await openTestPipeline();
  const { platform, receive, addDocument } = pipeline;
  await addDocument('# Refunds\n\nA refund takes five working days.');
  await addDocument('# Delivery\n\nA parcel takes two working days.');
  platform.earlierIn = async () => [{ author: 'Ben', text: 'I wonder about my refund.' }];
  await pipeline.start();
  await receive(say('a', 'How long does it take?'));
  await vi.waitFor(() => expect(platform.sent.map(({ text }) => text).join('')).toContain('five working'), {
    timeout: 20_000,
  });
});

test('is identified by the platform for agents, or as in the event if that fails', async () => {
  const pipeline = await openTestPipeline();
  const { platform, receive, runtime } = pipeline;
  platform.introduce = async (id) => ({ name: `${id} Gardener`, email: null, language: 'de' });
  await pipeline.start();
  const customers = async () =>
    (await runtime.database.pool.query('select customer_name, session_id from conversation order by 2')).rows;
  const sentTo = (chat: string) =>
    platform.sent.flatMap((part) => (part.chat === chat ? [part.text] : [])).join('');
  await receive(say('a', '', { from: 'ana', command: 'start' }));
  await vi.waitFor(() => expect(sentTo('a')).not.toBe(''), { timeout: 20_000 });
  platform.introduce = refused;
  await receive(say('b', '', { from: 'ben', command: 'start' }));
  await vi.waitFor(() => expect(sentTo('b')).toMatch(/\.$/), { timeout: 20_000 });
  expect(await customers()).toEqual([
    { customer_name: 'ana Gardener', session_id: expect.any(String) },
    { customer_name: 'ben', session_id: expect.any(String) },
  ]);
  // The greeting is in the language of the visitor's device, because the text is too short to detect one.
  expect(sentTo('a').slice(0, 20)).not.toBe(sentTo('b').slice(0, 20));
});
