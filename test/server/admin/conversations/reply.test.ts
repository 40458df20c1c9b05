import { expect, test, vi } from 'vitest';
import type { AnswerWriter, WritingTask } from '../../../../core/contract/answer-writer.ts';
import { plainTurn } from '../../../helpers/models/plain-turn.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';

const tasks: WritingTask[] = [];
const writer: AnswerWriter = {
  async *write(task) {
    tasks.push(task);
    yield { text: `You asked: ${task.question}` };
  },
};
const server = await openPipelineServer({
  kind: 'telegram',
  settings: { strictness: 'fallback' },
  alter: () => ({ writer }),
});
const { runtime, workspace, channel, platform, receive, operate, integrate, conversationIn } = server;
const { database } = runtime;
await server.start();

const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const sentTo = (chat: string) => platform.sent.filter((part) => part.chat === chat).map(({ text }) => text);
const said = { content: '  A person here.  ', author_email: 'ann@example.com' };
const replyTo = (id: string, body: object = said, of = workspace.id) =>
  operate('POST', `/workspaces/${of}/conversations/${id}/reply`, body);
const withoutChannel = async () =>
  (await runtime.conversations.storeTurn(plainTurn(workspace.id))).conversationId;
const statusOf = async (id: string) => (await integrate('GET', `/conversations/${id}`)).json().status;
let last = 0;
const say = async (chat: string, text: string, command: 'human' | null = null) => {
  last += 1;
  await receive({ id: `e${last}`, chat, text, command });
};
/** A conversation with one answer. */
const begun = async (chat: string) => {
  await say(chat, 'red sock');
  await settled(() => expect(sentTo(chat)).toEqual(['You asked: red sock']));
  return conversationIn(chat);
};

test('exactly one side answers a visitor, from the request for an agent to the resolution', async () => {
  const id = await begun('a');
  await say('a', '', 'human');
  await settled(() => expect(sentTo('a').at(-1)).toMatch(/answer you here\.$/));
  expect(await statusOf(id)).toBe('escalated');

  const response = await replyTo(id);
  expect([response.statusCode, response.json()]).toEqual([
    201,
    {
      id: expect.stringMatching(/^msg_/),
      role: 'agent',
      content: 'A person here.',
      author: 'ann@example.com',
      created_at: expect.any(String),
      delivery: { status: 'queued', reason: null, at: expect.any(String) },
    },
  ]);
  await settled(() => expect(sentTo('a').at(-1)).toBe('A person here.'));
  expect(await statusOf(id)).toBe('claimed');

  await say('a', 'Thank you, person');
  await settled(async () => {
    const { messages } = (await integrate('GET', `/conversations/${id}/messages?order=desc`)).json();
    expect(messages[0]).toMatchObject({ role: 'user', content: 'Thank you, person' });
  });
  const before = sentTo('a').length;
  expect(tasks.map(({ question }) => question)).not.toContain('Thank you, person');

  const resolved = await integrate('PATCH', `/conversations/${id}`, { status: 'resolved' });
  expect(resolved.statusCode).toBe(200);
  await say('a', 'Something else');
  await settled(() => expect(sentTo('a').slice(before)).toEqual(['You asked: Something else']));
  expect(await conversationIn('a')).toBe(id);
  expect(tasks.at(-1)).toMatchObject({ question: 'Something else', earlierTurns: [], summary: null });
  expect(await statusOf(id)).toBe('open');
});

test('201: only stores the reply in a conversation without a channel', async () => {
  const id = await withoutChannel();
  const response = await replyTo(id);
  expect([response.statusCode, response.json().delivery]).toEqual([201, null]);
  expect(await statusOf(id)).toBe('claimed');
});

test('201: accepts 4,000 characters of any byte length', async () => {
  const response = await replyTo(await withoutChannel(), { ...said, content: '🌱'.repeat(4_000) });
  expect(response.statusCode).toBe(201);
});

test.each(['content', 'author_email'])('400: %s is required', async (field) => {
  const response = await replyTo(await withoutChannel(), { ...said, [field]: undefined });
  expect([response.statusCode, response.json().code]).toEqual([400, 'missing_field']);
});

test('401: requires the operator token', async () => {
  const url = `/admin/v1/workspaces/${workspace.id}/conversations/conv_1/reply`;
  expect((await server.app.inject({ method: 'POST', url, payload: said })).statusCode).toBe(401);
});

test('404: rejects a conversation that is unknown or of another workspace', async () => {
  const { workspace: other } = await runtime.workspaces.create({ name: 'Other' });
  const id = await withoutChannel();
  for (const [conversation, of] of [
    ['conv_none', workspace.id],
    ['conv-1', workspace.id],
    [id, other.id],
  ] as const) {
    const response = await replyTo(conversation, said, of);
    expect([response.statusCode, response.json().code]).toEqual([404, 'conversation_not_found']);
  }
  const response = await replyTo(id, said, 'ws_none');
  expect([response.statusCode, response.json().code]).toEqual([404, 'workspace_not_found']);
});

test('409: rejects a reply to a visitor who blocked the channel or to a disabled channel, and stores nothing', async () => {
  const id = await begun('b');
  const unreachable = async () => {
    const response = await replyTo(id);
    expect([response.statusCode, response.json().code]).toEqual([409, 'channel_unreachable']);
  };
  await database.kysely.updateTable('lane').set({ reachable: false }).where('lane', '=', 'b').execute();
  await unreachable();
  await database.kysely.updateTable('lane').set({ reachable: true }).where('lane', '=', 'b').execute();
  const path = `/workspaces/${workspace.id}/channels/${channel.id}`;
  await operate('PATCH', path, { enabled: false });
  runtime.channelAccounts.forget();
  await unreachable();
  await operate('PATCH', path, { enabled: true });
  runtime.channelAccounts.forget();
  expect(await statusOf(id)).toBe('open');
  expect((await replyTo(id)).statusCode).toBe(201);
});

test.each([
  ['only blanks', { content: '   ' }, 'invalid_content'],
  ['a text that is too long', { content: 'x'.repeat(4_001) }, 'invalid_content'],
  ['content that is not a string', { content: 7 }, 'invalid_content'],
  ['an invalid email address', { author_email: 'ann' }, 'invalid_author_email'],
])('422: %s', async (_what, wrong, code) => {
  const response = await replyTo(await withoutChannel(), { ...said, ...wrong });
  expect([response.statusCode, response.json().code]).toEqual([422, code]);
});
