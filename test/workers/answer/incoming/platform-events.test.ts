import { describe, expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import type { FakeMessage } from '../../../helpers/platforms/fake/channel.ts';
import { createDatabase, testEngines } from '../../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../../helpers/stores/open-test-pipeline.ts';

let last = 0;
const tell = (chat: string, text: string, more: Partial<FakeMessage> = {}): FakeMessage => {
  last += 1;
  return { id: `n${last}`, chat, text, ...more };
};

describe.each(testEngines)('platform events on %s', async (engine) => {
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

  test("apply a visitor's edit and write an audit entry", async () => {
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
      filters: { q: 'price' },
      page: { limit: 10 },
    });
    expect(found.items).toHaveLength(1);
  });

  test('clear a message that the visitor deletes', async () => {
    await answered('b', tell('b', 'My secret', { id: 'b1', file: true }));
    await receive(tell('b', '', { event: 'message-deleted', about: 'b1' }));
    await settled(async () => expect((await saidIn('b'))[0]).toBe('user: '));
    const { rows } = await runtime.database.pool.query(
      `select metadata::text as kept, deleted_at from message where metadata::text like '%"b1"%'`,
    );
    expect(rows).toEqual([{ kept: expect.not.stringMatching(/secret|f1/), deleted_at: expect.any(Date) }]);
  });

  test('edit one of several messages that were answered together', async () => {
    await receive(tell('c', 'first', { id: 'c1' }), tell('c', 'second', { id: 'c2' }));
    await settled(async () => expect((await saidIn('c'))[0]).toBe('user: first\nsecond'));
    await receive(tell('c', 'other', { event: 'message-edited', about: 'c1' }));
    await settled(async () => expect((await saidIn('c'))[0]).toBe('user: other\nsecond'));
    await receive(tell('c', '', { event: 'message-deleted', about: 'c2' }));
    await settled(async () => expect((await saidIn('c'))[0]).toBe('user: other'));
  });

  test('keep the words of recordings when a text is edited, and remove them with a deleted message', async () => {
    await receive(tell('c3', 'first', { id: 'c31' }), tell('c3', 'second', { id: 'c32', file: true }));
    await settled(async () => expect((await saidIn('c3'))[0]).toBe('user: first\nsecond'));
    await runtime.database.pool.query(
      `update message set metadata = jsonb_set(metadata, '{attachments,0,transcript}', '"Spoken words"')
       where metadata::text like '%"c31"%'`,
    );
    await receive(tell('c3', 'other', { event: 'message-edited', about: 'c31' }));
    await settled(async () => expect((await saidIn('c3'))[0]).toBe('user: other\nsecond\nSpoken words'));
    await receive(tell('c3', '', { event: 'message-deleted', about: 'c32' }));
    await settled(async () => expect((await saidIn('c3'))[0]).toBe('user: other'));
    const { rows } = await runtime.database.pool.query(
      `select metadata -> 'attachments' as files from message where metadata::text like '%"c31"%'`,
    );
    expect(rows).toEqual([{ files: [expect.objectContaining({ reference: 'f1' })] }]);
    expect(JSON.stringify(rows)).not.toContain('Spoken');
  });

  test('ignore an edit of an unknown message', async () => {
    await answered('d', tell('d', 'hello'));
    await receive(tell('d', 'changed', { event: 'message-edited', about: 'nothing' }));
    await answered('d', tell('d', 'and then'));
    expect((await saidIn('d'))[0]).toBe('user: hello');
  });

  test('link related conversations in both, or in none if one is unknown', async () => {
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
        `may belong to conversation ${asked.id}, in which its sender does not participate`,
      ]),
    );
    expect(await notesOf('m')).toEqual([
      `conversation ${quoting.id} may belong here, although its sender does not participate in this conversation`,
    ]);
    expect(await conversationOf('m')).toMatchObject({ status: asked.status });
  });

  test("assign the conversation to an agent who replies in the platform's own inbox", async () => {
    await answered('e', tell('e', 'hello'));
    await receive(tell('e', 'I take it', { event: 'person-replied', from: 'Jo' }), tell('e', 'thank you'));
    await settled(async () =>
      expect((await saidIn('e')).slice(-2)).toEqual(['agent: I take it', 'user: thank you']),
    );
    expect(await conversationOf('e')).toMatchObject({ status: 'claimed' });
    expect(sentTo('e')).toHaveLength(1);
  });

  test('assign the conversation even if the agent writes first', async () => {
    await receive(tell('f', 'May I help?', { event: 'person-replied', from: 'Jo' }), tell('f', 'yes'));
    await settled(async () => expect(await saidIn('f')).toEqual(['agent: May I help?', 'user: yes']));
    expect(sentTo('f')).toEqual([]);
  });

  test('silence the bot while a conversation is assigned there', async () => {
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

  test('resolve a conversation that is closed there, and do not create one for an unknown one', async () => {
    await answered('h', tell('h', 'hello'));
    await receive(tell('h', '', { event: 'resolved' }), tell('i', '', { event: 'resolved' }));
    await settled(async () => expect(await conversationOf('h')).toMatchObject({ status: 'resolved' }));
    await expect(conversationOf('i')).rejects.toThrow();
  });

  test('welcome a visitor who opens a conversation, and store nothing', async () => {
    await receive(tell('j', '', { event: 'opened' }));
    await settled(() => expect(platform.welcomed).toEqual(['j']));
    await expect(conversationOf('j')).rejects.toThrow();
  });

  test('take group messages as addressed to the bot only where it has joined', async () => {
    await receive(tell('k', 'among ourselves', { addressed: 'joined' }));
    await answered('k', tell('k', 'you there'));
    await answered('k', tell('k', 'and then', { addressed: 'joined' }));
    expect(sentTo('k')).toEqual(['You asked: you there', 'You asked: and then']);
  });

  test('report a channel that the platform has disconnected', async () => {
    await receive(tell('l', 'The app was removed.', { event: 'account-lost' }));
    await settled(async () =>
      expect(await runtime.channels.get(workspace.id, channel.id)).toMatchObject({
        status: 'error',
        lastError: 'The app was removed.',
      }),
    );
  });
});
