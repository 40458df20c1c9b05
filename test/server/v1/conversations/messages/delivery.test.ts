import { expect, test } from 'vitest';
import type { AnswerWriter } from '../../../../../core/contract/answer-writer.ts';
import { ConnectorError } from '../../../../../core/contract/connector-error.ts';
import { openPipelineServer } from '../../../../helpers/servers/open-pipeline-server.ts';

const writer: AnswerWriter = {
  async *write({ question }) {
    yield { text: `You asked: ${question}` };
  },
};
const server = await openPipelineServer({
  kind: 'telegram',
  settings: { strictness: 'fallback' },
  alter: () => ({ writer }),
});
const { runtime, workspace, platform, operate, integrate, conversationIn, receive } = server;
await server.start();
const { webhook } = await runtime.webhooks.create(workspace.id, {
  url: 'https://hooks.example/',
  events: ['*'],
});

const messagesIn = async (chat: string) =>
  (await integrate('GET', `/conversations/${await conversationIn(chat)}/messages`)).json().messages;
const deliveryIn = (chat: string) =>
  expect.poll(async () => (await messagesIn(chat)).at(-1)?.delivery, { timeout: 20_000 });
const told = async () => {
  const rows = await runtime.database.kysely
    .selectFrom('webhook_delivery')
    .select(['event', 'data'])
    .where('webhook_id', '=', webhook.id)
    .orderBy('id')
    .execute();
  return rows.filter(({ event }) => event === 'message.failed').map(({ data }) => data);
};
let last = 0;
const say = async (chat: string, text: string) => {
  last += 1;
  await receive({ id: `e${last}`, chat, text });
};

test('a sent answer has its delivery and its metadata', async () => {
  await say('a', 'red sock');
  await deliveryIn('a').toEqual({ status: 'sent', reason: null, at: expect.any(String) });
  const [question, answer] = await messagesIn('a');
  expect(question).not.toHaveProperty('delivery');
  expect(answer).toMatchObject({
    ended: null,
    confidence: 'low',
    score: expect.any(Number),
    latency_ms: expect.any(Number),
    skills_fired: expect.any(Array),
  });
  const whole = (await integrate('GET', `/conversations/${await conversationIn('a')}`)).json();
  expect(whole.messages[1]).toEqual(answer);
  expect(await told()).toEqual([]);
});

test("an answer that the platform rejects is failed with the platform's words, and webhooks receive one event", async () => {
  platform.sending = async () => {
    throw new ConnectorError('Forbidden: bot was blocked by the user', { advice: { retry: 'never' } });
  };
  await say('b', 'x'.repeat(200));
  const delivery = { status: 'failed', reason: 'Forbidden: bot was blocked by the user' };
  await deliveryIn('b').toMatchObject(delivery);
  const parts = () =>
    runtime.database.kysely.selectFrom('outbound_part').select('status').where('lane', '=', 'b').execute();
  await expect
    .poll(async () => (await parts()).map(({ status }) => status), { timeout: 20_000 })
    .not.toContain('waiting');
  expect((await parts()).length).toBeGreaterThan(1);
  const answer = (await messagesIn('b')).at(-1);
  expect(await told()).toEqual([
    {
      workspace_id: workspace.id,
      conversation_id: await conversationIn('b'),
      channel: 'telegram',
      ...{ user_id: null, user_verified: false, session_id: null, metadata: null },
      message_id: answer.id,
      role: 'assistant',
      content: answer.content,
      author: null,
      delivery: answer.delivery,
    },
  ]);
  platform.sending = async () => {};
});

test("an agent's reply is first queued, then sent", async () => {
  await say('c', 'red sock');
  await deliveryIn('c').toMatchObject({ status: 'sent' });
  const path = `/workspaces/${workspace.id}/conversations/${await conversationIn('c')}/reply`;
  const replied = await operate('POST', path, { content: 'A person.', author_email: 'peter@example.com' });
  expect(replied.json().delivery).toEqual({ status: 'queued', reason: null, at: expect.any(String) });
  await expect
    .poll(async () => (await messagesIn('c')).at(-1), { timeout: 20_000 })
    .toMatchObject({ role: 'agent', ended: null, delivery: { status: 'sent', reason: null } });
});

test('an answer on the API channel has no delivery', async () => {
  const { conversation_id: id } = (await integrate('POST', '/query', { query: 'red sock' })).json();
  const { messages } = (await integrate('GET', `/conversations/${id}/messages`)).json();
  expect(messages[1]).toMatchObject({ role: 'assistant', delivery: null, ended: null });
});
