import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../core/base/errors.ts';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import type { About } from '../../../core/contract/connector.ts';
import { messageDisclosure } from '../../../core/conversations/messages/decisions.ts';
import { storeEditedMessage } from '../../../core/conversations/messages/edited-messages.ts';
import type { FakeMessage } from '../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const hour = 3_600_000;
const sentence = 'A machine answers from our help pages. You can ask for a person at any time.';
let last = 0;
const say = (chat: string, text: string, more: Partial<FakeMessage> = {}): FakeMessage => {
  last += 1;
  return { id: `d${last}`, chat, text, ...more };
};

describe.each(testEngines)('the sentence that a machine answers, on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const failing = { times: 0 };
  const writer: AnswerWriter = {
    async *write({ question }) {
      failing.times -= 1;
      if (failing.times >= 0) throw new AppError('model_provider_error');
      yield { text: `You asked: ${question}` };
    },
  };
  const clock = { at: new Date('2026-09-21T12:00:00Z'), now: () => clock.at };
  const channel: { disclosure: About['disclosure'] } = { disclosure: 'message' };
  const pipeline = await openTestPipeline({
    environment,
    clock,
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
    disclosure: () => channel.disclosure,
  });
  const { platform, receive, runtime, workspace } = pipeline;
  await pipeline.start();
  const textOf = (chat: string) =>
    platform.sent
      .filter((part) => part.chat === chat)
      .map(({ text }) => text)
      .join('')
      .replaceAll(/\s+/gu, ' ');
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const answered = (chat: string, text: string) => settled(() => expect(textOf(chat)).toContain(text));
  const count = (chat: string) => textOf(chat).split('A machine answers').length - 1;

  beforeEach(async () => {
    channel.disclosure = 'message';
    failing.times = 0;
    platform.sending = async () => {};
    await runtime.workspaces.update(workspace.id, {
      settings: { disclosure_enabled: null, disclosure_messages: null, skills: null },
    });
  });

  test('comes before the first answer of a conversation, and before no other', async () => {
    await receive(say('a', 'Red socks'));
    await answered('a', 'You asked: Red socks');
    await receive(say('a', 'Blue socks'));
    await answered('a', 'You asked: Blue socks');
    expect(textOf('a')).toBe(`${sentence} You asked: Red socksYou asked: Blue socks`);
  });

  test('is stored with the answers that it went out with, also after the visitor edits the question', async () => {
    await receive(say('stored', 'Red socks'));
    await answered('stored', 'You asked: Red socks');
    await receive(say('stored', 'Blue socks'));
    await answered('stored', 'You asked: Blue socks');
    const load = () =>
      runtime.database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['message.id', 'message.position', 'message.workspace_id', 'message.conversation_id'])
        .select(['message.decision', messageDisclosure])
        .where('conversation.session_id', 'like', '%:stored')
        .orderBy('message.position')
        .execute();
    const [question, ...others] = await load();
    expect(others.map(({ disclosure }) => disclosure)).toEqual([sentence, null, null]);
    if (question === undefined) throw new Error('the question was not stored');
    const edit = { content: 'Green socks', metadata: {}, isGone: false, now: clock.now() };
    await runtime.database.kysely
      .transaction()
      .execute((transaction) => storeEditedMessage(transaction, question, edit));
    expect((await load()).map(({ decision }) => decision)).toEqual([
      null,
      { disclosure: sentence },
      null,
      null,
    ]);
  });

  test('comes again 24 hours after the last answer that had it, not after the last answer', async () => {
    const ask = async (text: string, hours: number) => {
      clock.at = new Date(clock.at.getTime() + hours * hour);
      await receive(say('b', text));
      await answered('b', `You asked: ${text}`);
      return count('b');
    };
    expect(await ask('one', 0)).toBe(1);
    expect(await ask('two', 23)).toBe(1);
    expect(await ask('three', 2)).toBe(2);
    expect(await ask('four', 1)).toBe(2);
  });

  test('comes again once a person returns the conversation, and never before what the person writes', async () => {
    await receive(say('c', 'Red socks'));
    await answered('c', 'You asked: Red socks');
    await receive(say('c', 'I am Maria.', { event: 'person-replied' }));
    await receive(say('c', 'Hello Maria'));
    await settled(async () =>
      expect((await pipeline.messages()).filter(({ session_id }) => session_id?.endsWith(':c'))).toHaveLength(
        4,
      ),
    );
    expect(count('c')).toBe(1);
    await receive(say('c', '', { event: 'open' }));
    await receive(say('c', 'Blue socks'));
    await answered('c', 'You asked: Blue socks');
    expect(textOf('c')).toMatch(/A machine answers.*Red socksA machine answers.*You asked: Blue socks$/);
    await receive(say('c', 'Green socks'));
    await answered('c', 'You asked: Green socks');
    expect(count('c')).toBe(2);
  });

  test.each([
    ['small talk', 'hello', {}, 'welcome to'],
    ['a greeting', '', { command: 'start' }, 'Ask me'],
    ['a skill', 'I want to talk to a person', {}, 'passed'],
    ['a file that is not read', '', { file: true }, 'cannot read'],
  ] as const)('comes before the reply to %s', async (name, text, more, reply) => {
    await receive(say(name, text, more));
    await answered(name, reply);
    expect(textOf(name).indexOf(sentence)).toBe(0);
    expect(count(name)).toBe(1);
  });

  test('is sent once if the answer has to be tried again', async () => {
    failing.times = 1;
    await receive(say('d', 'Red socks'));
    await answered('d', 'You asked: Red socks');
    await receive(say('d', 'Blue socks'));
    await answered('d', 'You asked: Blue socks');
    expect(count('d')).toBe(1);
  });

  test('is sent once if the answer cannot be stored at first', async () => {
    const { pool } = runtime.database;
    await pool.query(`create or replace function fail_once() returns trigger language plpgsql as $$
      begin
        if (select count(*) from inbound_event where lane = 'e' and attempts > 0) = 0 then
          raise exception 'out of order';
        end if;
        return new;
      end $$`);
    await pool.query(`create trigger fail_once before update of disclosed_at on conversation
      for each row when (new.session_id like '%:e') execute function fail_once()`);
    try {
      await receive(say('e', 'Red socks'));
      await answered('e', 'You asked: Red socks');
    } finally {
      await pool.query('drop trigger fail_once on conversation');
      await pool.query('drop function fail_once');
    }
    await receive(say('e', 'Blue socks'));
    await answered('e', 'You asked: Blue socks');
    expect(textOf('e')).toBe(`${sentence} You asked: Red socksYou asked: Blue socks`);
  });

  test('is in the visitor’s language, and the workspace’s own where it has one', async () => {
    await receive(say('f', 'Haben Sie auch rote Socken in meiner Größe?'));
    await answered('f', 'You asked');
    expect(textOf('f')).toMatch(/^Hier antwortet eine Maschine aus unseren Hilfeseiten\. Sie können/);
    const own = { disclosure_messages: { de: 'Hier schreibt unser Automat.' } };
    await runtime.workspaces.update(workspace.id, { settings: own });
    await receive(say('g', 'Haben Sie auch rote Socken in meiner Größe?'));
    await answered('g', 'You asked');
    expect(textOf('g')).toMatch(/^Hier schreibt unser Automat\. You asked/);
    await receive(say('h', 'Do you have red socks in my size?'));
    await answered('h', 'You asked');
    expect(textOf('h').indexOf(sentence)).toBe(0);
  });

  test('promises no person where none can be asked for', async () => {
    await runtime.workspaces.update(workspace.id, { settings: { skills: ['knowledge_search'] } });
    await receive(say('i', 'Red socks'));
    await answered('i', 'You asked');
    expect(textOf('i')).toBe('A machine answers from our help pages. You asked: Red socks');
  });

  test('is left out if the workspace has switched it off, and comes with the next answer after it is on', async () => {
    await runtime.workspaces.update(workspace.id, { settings: { disclosure_enabled: false } });
    await receive(say('j', 'Red socks'));
    await answered('j', 'Red socks');
    expect(count('j')).toBe(0);
    await runtime.workspaces.update(workspace.id, { settings: { disclosure_enabled: true } });
    await receive(say('j', 'Blue socks'));
    await answered('j', 'Blue socks');
    expect(count('j')).toBe(1);
  });

  test.each(['interface', 'greeting'] as const)(
    'is no message on a channel that says it by its %s',
    async (where) => {
      channel.disclosure = where;
      await receive(say(where, 'Red socks'));
      await answered(where, 'You asked: Red socks');
      expect(count(where)).toBe(0);
    },
  );
});
