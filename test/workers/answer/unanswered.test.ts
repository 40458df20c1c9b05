import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import type { FakeMessage } from '../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const hour = 3_600_000;
let last = 0;
const say = (chat: string, text: string, more: Partial<FakeMessage> = {}): FakeMessage => {
  last += 1;
  return { id: `p${last}`, chat, text, ...more };
};

describe.each(testEngines)('a message stored without an answer on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const writer: AnswerWriter = {
    async *write({ question }) {
      yield { text: `You asked: ${question}` };
    },
  };
  const clock = { at: new Date('2026-09-21T12:00:00Z'), now: () => clock.at };
  const pipeline = await openTestPipeline({
    environment,
    clock,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
    replyLimits: { perConversation: { count: 3, withinMs: hour }, perSender: { count: 5, withinMs: hour } },
  });
  const { platform, receive, runtime } = pipeline;
  await pipeline.start();
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const rows = async (text: string, chat: string): Promise<Record<string, unknown>[]> =>
    (await runtime.database.pool.query(text, [`%:${chat}`])).rows;
  const notesIn = async (chat: string) =>
    (
      await rows(
        `select content, author from note join conversation on conversation.id = conversation_id
         where session_id like $1 order by note.created_at, note.id`,
        chat,
      )
    ).map(({ author, content }) => `${author}: ${content}`);
  const messagesIn = (chat: string) =>
    rows(
      `select role, content, message.metadata ->> 'parked' as parked, status, unanswered_since from message
       join conversation on conversation.id = conversation_id where session_id like $1 order by position`,
      chat,
    );

  beforeEach(() => {
    clock.at = new Date(clock.at.getTime() + 2 * hour);
  });

  test('starts a conversation with a note that gives the reason, for an automatic reply', async () => {
    await receive(say('a', 'I am away.', { kind: 'machine', parked: 'automatic reply' }));
    await settled(async () => expect(await notesIn('a')).toEqual(['system: parked: automatic reply']));
    expect(await messagesIn('a')).toEqual([
      {
        role: 'user',
        content: 'I am away.',
        parked: 'automatic reply',
        status: 'open',
        unanswered_since: null,
      },
    ]);
    await receive(say('a', 'And now a person writes'));
    await settled(() => expect(sentTo('a')).toEqual(['You asked: And now a person writes']));
    expect(await messagesIn('a')).toHaveLength(3);
  });

  test('keeps the status and address of its conversation, with one note a day', async () => {
    await receive(say('b', 'Hello'));
    await settled(() => expect(sentTo('b')).toHaveLength(1));
    await rows(
      `update conversation set status = 'resolved', resolved_at = now() where session_id like $1`,
      'b',
    );
    for (const text of ['away', 'still away']) {
      await receive(say('b', text, { kind: 'machine', parked: 'automatic reply' }));
      await settled(async () => expect((await messagesIn('b')).at(-1)).toMatchObject({ content: text }));
    }
    expect(await notesIn('b')).toEqual(['system: parked: automatic reply']);
    expect((await messagesIn('b')).map(({ status }) => status)).not.toContain('open');
    expect(sentTo('b')).toHaveLength(1);
  });

  test('escalates to a person if it asks for one, with the reason', async () => {
    await receive(say('c', 'Hello?', { parked: 'asks for no automatic answer', command: 'human' }));
    await settled(async () =>
      expect(await notesIn('c')).toEqual(['system: parked: asks for no automatic answer']),
    );
    expect(await messagesIn('c')).toMatchObject([
      { status: 'escalated', unanswered_since: expect.any(Date) },
    ]);
    expect(sentTo('c')).toEqual([]);
  });

  test('is ignored if the bot itself sent it', async () => {
    await receive(say('d', 'ours', { kind: 'self', parked: 'a copy' }), say('d', 'theirs'));
    await settled(() => expect(sentTo('d')).toEqual(['You asked: theirs']));
    expect(await notesIn('d')).toEqual([]);
  });

  test('exceeds the reply limit of a conversation, with one note, until time has passed', async () => {
    for (const index of [1, 2, 3, 4, 5]) {
      await receive(say('e', `echo ${index}`, { from: 'robot' }));
      await settled(async () =>
        expect((await messagesIn('e')).map(({ content }) => content)).toContain(`echo ${index}`),
      );
    }
    expect(sentTo('e')).toEqual([1, 2, 3].map((index) => `You asked: echo ${index}`));
    expect(await notesIn('e')).toEqual([
      'system: parked: this conversation received 3 answers within 1 hours: the sender may be a bot',
    ]);
    clock.at = new Date(clock.at.getTime() + 2 * hour);
    await receive(say('e', 'later', { from: 'robot' }));
    await settled(() => expect(sentTo('e')).toContain('You asked: later'));
  });

  test('exceeds the reply limit of a sender over all conversations, which requests for a person ignore', async () => {
    for (const index of [1, 2, 3, 4, 5, 6]) {
      await receive(say(`f${index}`, `alarm ${index}`, { from: 'monitor' }));
      await settled(async () => expect(await messagesIn(`f${index}`)).not.toEqual([]));
    }
    expect(await notesIn('f6')).toEqual([expect.stringContaining('this sender received 5 answers')]);
    expect(sentTo('f5')).toHaveLength(1);
    expect(sentTo('f6')).toEqual([]);
    await receive(say('f7', '', { from: 'monitor', command: 'human' }));
    await settled(() => expect(sentTo('f7').join('')).toMatch(/passed this conversation on/));
    await receive(say('g', 'somebody else'));
    await settled(() => expect(sentTo('g')).toHaveLength(1));
  });
});
