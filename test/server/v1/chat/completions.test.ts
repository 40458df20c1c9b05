import { describe, expect, test } from 'vitest';
import { readThread } from '../../../../server/v1/chat/thread.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, makeWorkspace, addDocument } = await openTestServer();
const shop = await makeWorkspace();
const other = await makeWorkspace();
const url = 'https://shop.example/returns';
await addDocument(
  shop.id,
  '# Returns\n\nYou can send a box back within 30 days. Postage is free.\n\n# Delivery\n\nDelivery to Norway costs 9 euros.',
  [],
  { url, title: 'Help', contentType: 'text/markdown' },
);
const question = 'Within how many days can I send a box back?';
const asked = (content: unknown) => [{ role: 'user', content }];
const complete = (body: object, key = shop.key) =>
  app.inject({
    method: 'POST',
    url: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    payload: { model: 'parley', messages: asked(question), ...body },
  });
const chunksOf = (text: string) =>
  text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));

test('a completion is the answer with the addresses that its sentences rest on', async () => {
  const { statusCode, body } = await complete({
    user: 'session-1',
    temperature: 2,
    metadata: { order: 'A-1' },
  });
  const completion = JSON.parse(body);
  expect([statusCode, completion]).toMatchObject([
    200,
    {
      id: completion.parley.message_id,
      object: 'chat.completion',
      model: 'parley',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant' } }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      parley: { sources: [{ url }], skills_fired: ['knowledge_search'] },
    },
  ]);
  const { content, annotations } = completion.choices[0].message;
  expect(content).toContain('within 30 days');
  const [{ url_citation: cited }] = annotations;
  expect(cited).toMatchObject({ url, title: 'Help' });
  expect(content.slice(cited.start_index, cited.end_index)).toContain('30 days');
  const conversation = await app.inject({
    url: `/v1/conversations/${completion.parley.conversation_id}`,
    headers: { authorization: `Bearer ${shop.key}` },
  });
  expect(conversation.json()).toMatchObject({ session_id: 'session-1', metadata: { order: 'A-1' } });
});

test('a stream has the same text in chunks, then its grounds, its usage if asked for, and [DONE]', async () => {
  const { body, headers } = await complete({ stream: true, stream_options: { include_usage: true } });
  expect(headers['content-type']).toContain('text/event-stream');
  expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
  const chunks = chunksOf(body);
  expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([headers['x-request-id']]));
  expect(chunks[0].choices).toMatchObject([{ delta: { role: 'assistant' }, finish_reason: null }]);
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  expect(text).toContain('within 30 days');
  expect(chunks.slice(-2)).toMatchObject([
    { choices: [{ finish_reason: 'stop' }], parley: { confidence: expect.any(String) }, usage: null },
    { choices: [], usage: { total_tokens: 0 } },
  ]);
  const plain = chunksOf((await complete({ stream: true })).body);
  expect(plain.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
  expect(plain.at(-1).usage).toBeUndefined();
});

test('earlier messages help to understand the question', async () => {
  const messages = [
    { role: 'system', content: 'You are a pirate.' },
    { role: 'user', content: 'What does delivery to Norway cost?' },
    { role: 'assistant', content: 'Delivery to Norway costs 9 euros.' },
    { role: 'user', content: [{ type: 'text', text: question }] },
  ];
  const { choices } = (await complete({ messages })).json();
  expect(choices[0].message.content).toContain('within 30 days');
});

test('a conversation goes on by its id', async () => {
  const first = (await complete({})).json().parley.conversation_id;
  expect((await complete({ conversation_id: first })).json().parley.conversation_id).toBe(first);
});

test.each([
  [{ model: 'gpt-5' }, 422, 'invalid_model', 'invalid_request_error', 'model'],
  [{ tools: [{ type: 'function' }] }, 422, 'invalid_tools', 'invalid_request_error', 'tools'],
  [{ messages: [] }, 422, 'invalid_messages', 'invalid_request_error', 'messages'],
  [{ messages: [{ role: 'system', content: 'x' }] }, 400, 'missing_field', 'invalid_request_error', null],
  [
    { messages: asked([{ type: 'image_url' }]) },
    422,
    'invalid_messages',
    'invalid_request_error',
    'messages',
  ],
  [{ messages: asked('x'.repeat(4_001)) }, 400, 'message_too_long', 'invalid_request_error', null],
  [{ workspace_id: other.id }, 403, 'workspace_access_denied', 'permission_error', null],
])('%# is refused in both shapes', async (body, status, code, type, param) => {
  const response = await complete(body);
  expect([response.statusCode, response.json()]).toMatchObject([
    status,
    { code, detail: expect.any(String), error: { message: response.json().detail, type, code, param } },
  ]);
});

test('a wrong key, an exhausted quota and other routes keep their errors', async () => {
  const wrong = await complete({}, 'pk_wrong');
  expect(wrong.json()).toMatchObject({ code: 'invalid_key', error: { type: 'authentication_error' } });
  const elsewhere = await app.inject({ method: 'POST', url: '/v1/query', payload: {} });
  expect(elsewhere.json().error).toBeUndefined();
});

test('the model belongs to the workspace of the key', async () => {
  const response = await app.inject({ url: '/v1/models', headers: { authorization: `Bearer ${other.key}` } });
  expect(response.json()).toMatchObject({ object: 'list', data: [{ id: 'parley', owned_by: other.id }] });
});

test('a completion counts as a message', async () => {
  const used = async () => {
    const me = await app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${shop.key}` } });
    return me.json().usage.messages;
  };
  const before = await used();
  await complete({});
  await complete({ stream: true });
  await complete({ model: 'gpt-5' });
  expect(await used()).toBe(before + 2);
});

describe('the thread', () => {
  test('is the last question and the exchanges before it', () => {
    const { question: last, earlierTurns } = readThread([
      { role: 'assistant', content: 'Hello!' },
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'Second' },
      { role: 'tool', content: 'ignored' },
      { role: 'user', content: ' Three ' },
      { role: 'assistant', content: null },
    ]);
    expect(last).toBe('Three');
    expect(earlierTurns).toEqual([{ question: 'Two', answer: 'Second' }]);
  });
});
