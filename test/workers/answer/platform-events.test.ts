import { describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import type { FakeMessage } from '../../helpers/platforms/fake-channel.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';
import { createDatabase, testEngines } from '../../helpers/stores/test-databases.ts';

let last = 0;
const tell = (chat: string, text: string, more: Partial<FakeMessage> = {}): FakeMessage => {
  last += 1;
  return { id: `n${last}`, chat, text, ...more };
};

describe.each(testEngines)('what happens on a platform beside questions, on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const writer: AnswerWriter = {
    async *write({ question }) {
      yield { text: `You asked: ${question}` };
    },
  };
  const pipeline = await openTestPipeline({
    environment,
    kind: 'telegram',
    settings: { strictness: 'fallback' },
    alter: () => ({ writer }),
  });
  const { platform, receive, runtime, channel, workspace } = pipeline;
  await pipeline.start();
  const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
  const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
  const user = { ownerId: workspace.owner, name: 'test' };
  const conversationOf = async (chat: string) => {
    const row = await runtime.database.kysely
      .selectFrom('conversation')
      .select('id')
      .where('session_id', '=', `${channel.id}:${chat}`)
      .executeTakeFirstOrThrow();
    return runtime.inbox.get(user, row.id);
  };
  const saidIn = async (chat: string) =>
    (await conversationOf(chat)).messages.map(({ role, content }) => `${role}: ${content}`);
  const answered = async (chat: string, message: FakeMessage) => {
    const before = sentTo(chat).length;
    await receive(message);
    await settled(() => expect(sentTo(chat).length).toBeGreaterThan(before));
  };

  test('what a visitor edits is kept as he left it, and told in the audit log', async () => {
    await answered('a', tell('a', 'What is the prise?', { id: 'a1' }));
    await receive(tell('a', 'What is the price?', { event: 'message-edited', about: 'a1' }));
    await settled(async () =>
      expect(await saidIn('a')).toEqual([
        'user: What is the price?',
        'assistant: You asked: What is the prise?',
      ]),
    );
    const { messages, auditLog } = await conversationOf('a');
    expect(messages[0]).toMatchObject({ editedAt: expect.any(Date), deletedAt: null });
    expect(auditLog).toMatchObject([{ action: 'message_edited', actor: 'visitor' }]);
    const found = await runtime.inbox.list({
      workspace,
      filters: { text: 'price', tags: [] },
      page: { limit: 10 },
    });
    expect(found.items).toHaveLength(1);
  });

  test('of what a visitor takes back nothing is kept', async () => {
    await answered('b', tell('b', 'My secret', { id: 'b1', file: true }));
    await receive(tell('b', '', { event: 'message-deleted', about: 'b1' }));
    await settled(async () => expect((await saidIn('b'))[0]).toBe('user: '));
    const { rows } = await runtime.database.pool.query(
      `select metadata::text as kept, deleted_at from message where metadata::text like '%"b1"%'`,
    );
    expect(rows).toEqual([{ kept: expect.not.stringMatching(/secret|f1/), deleted_at: expect.any(Date) }]);
  });

  test('one of several messages that were answered together is edited by itself', async () => {
    await receive(tell('c', 'first', { id: 'c1' }), tell('c', 'second', { id: 'c2' }));
    await settled(async () => expect((await saidIn('c'))[0]).toBe('user: first\nsecond'));
    await receive(tell('c', 'other', { event: 'message-edited', about: 'c1' }));
    await settled(async () => expect((await saidIn('c'))[0]).toBe('user: other\nsecond'));
    await receive(tell('c', '', { event: 'message-deleted', about: 'c2' }));
    await settled(async () => expect((await saidIn('c'))[0]).toBe('user: other'));
  });

  test('an edit of what we do not know changes nothing', async () => {
    await answered('d', tell('d', 'hello'));
    await receive(tell('d', 'changed', { event: 'message-edited', about: 'nothing' }));
    await answered('d', tell('d', 'and then'));
    expect((await saidIn('d'))[0]).toBe('user: hello');
  });

  test('what seems to belong to another conversation is noted in both, and where there is none in neither', async () => {
    const notesOf = async (chat: string) => (await conversationOf(chat)).notes.map(({ content }) => content);
    await answered('m', tell('m', 'Where is my order?'));
    await answered('n', tell('n', 'And mine?'));
    await receive(
      tell('n', '', { event: 'related', about: 'nobody' }),
      tell('n', '', { event: 'related', about: 'n' }),
      tell('n', '', { event: 'related', about: 'm' }),
    );
    const [asked, quoting] = [await conversationOf('m'), await conversationOf('n')];
    await settled(async () =>
      expect(await notesOf('n')).toEqual([
        `looks like it belongs to conversation ${asked.id}, in which its sender takes no part`,
      ]),
    );
    expect(await notesOf('m')).toEqual([
      `looks like conversation ${quoting.id} belongs to it, whose sender takes no part here`,
    ]);
    expect(await conversationOf('m')).toMatchObject({ status: asked.status });
  });

  test("where a person answers in the platform's own inbox, the conversation is his", async () => {
    await answered('e', tell('e', 'hello'));
    await receive(tell('e', 'I take it', { event: 'person-replied', from: 'Jo' }), tell('e', 'thank you'));
    await settled(async () =>
      expect((await saidIn('e')).slice(-2)).toEqual(['agent: I take it', 'user: thank you']),
    );
    expect(await conversationOf('e')).toMatchObject({ status: 'claimed' });
    expect(sentTo('e')).toHaveLength(1);
  });

  test('also where he is the first to say something', async () => {
    await receive(tell('f', 'May I help?', { event: 'person-replied', from: 'Jo' }), tell('f', 'yes'));
    await settled(async () => expect(await saidIn('f')).toEqual(['agent: May I help?', 'user: yes']));
    expect(sentTo('f')).toEqual([]);
  });

  test('one that is assigned there is not answered here, until it is given back', async () => {
    await receive(tell('g', '', { event: 'claimed', from: 'Jo' }), tell('g', 'hello'));
    await settled(async () => expect(await saidIn('g')).toEqual(['user: hello']));
    await receive(tell('g', '', { event: 'open', from: 'Jo' }));
    await answered('g', tell('g', 'again'));
    const { auditLog } = await conversationOf('g');
    expect(auditLog.map(({ actor, details }) => [actor, details.to])).toEqual([
      ['Jo', 'claimed'],
      ['Jo', 'open'],
    ]);
  });

  test('one that is ended there is resolved here; an unknown one is not begun for that', async () => {
    await answered('h', tell('h', 'hello'));
    await receive(tell('h', '', { event: 'resolved' }), tell('i', '', { event: 'resolved' }));
    await settled(async () => expect(await conversationOf('h')).toMatchObject({ status: 'resolved' }));
    await expect(conversationOf('i')).rejects.toThrow();
  });

  test('who opens a conversation is welcomed, and nothing is stored of it', async () => {
    await receive(tell('j', '', { event: 'opened' }));
    await settled(() => expect(platform.welcomed).toEqual(['j']));
    await expect(conversationOf('j')).rejects.toThrow();
  });

  test('what is said in a group where we take part is said to us, elsewhere it is not', async () => {
    await receive(tell('k', 'among ourselves', { addressed: 'joined' }));
    await answered('k', tell('k', 'you there'));
    await answered('k', tell('k', 'and then', { addressed: 'joined' }));
    expect(sentTo('k')).toEqual(['You asked: you there', 'You asked: and then']);
  });

  test('a channel that the platform threw us out of says so', async () => {
    await receive(tell('l', 'The app was removed.', { event: 'account-lost' }));
    await settled(async () =>
      expect(await runtime.channels.get(workspace.id, channel.id)).toMatchObject({
        status: 'error',
        lastError: 'The app was removed.',
      }),
    );
  });
});
