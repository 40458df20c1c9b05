import { beforeEach, expect, test } from 'vitest';
import { heldWriter } from '../../../helpers/models/held-writer.ts';
import { openStreamServer } from '../../../helpers/servers/open-stream-server.ts';
import { readEvents, textOf } from '../../../helpers/servers/questions/read-events.ts';

const writer = heldWriter({ deaf: true });
const server = await openStreamServer({ app: { streamTimeoutMs: 4_000 }, writer });
const { stores } = server;

beforeEach(() => {
  stores.recalling = async () => {};
});

test('an answer that takes too long ends with an error frame, and the partial answer is stored', async () => {
  const stored = stores.stored();
  const response = await server.post();
  const frames = [];
  if (response.body) for await (const frame of readEvents(response.body)) frames.push(frame);
  expect(textOf(frames)).toBe('Within three ');
  expect(frames.at(-1)).toEqual({
    error: 'The request took longer than 30 seconds. Retry with backoff.',
    done: true,
    code: 'request_timeout',
    request_id: response.headers.get('x-request-id'),
  });
  const { conversationId, messageId } = await stored;
  expect((await server.messagesOf(conversationId))[1]).toMatchObject({
    id: messageId,
    content: 'Within three ',
    ended: 'timeout',
  });
});

test('an answer that took too long is not counted', async () => {
  const before = await server.messagesCounted();
  const refunded = stores.refunded();
  await server.frames();
  await refunded;
  expect(await server.messagesCounted()).toBe(before);
});

test('a timeout before the first frame is an ordinary error response', async () => {
  const stored = stores.stored();
  await server.frames();
  const { conversationId } = await stored;
  const before = await server.messagesCounted();
  stores.recalling = () => new Promise(() => {});
  const response = await server.post({ conversation_id: conversationId });
  expect([response.status, await response.json()]).toMatchObject([504, { code: 'request_timeout' }]);
  expect(await server.messagesCounted()).toBe(before);
  expect(await server.messagesOf(conversationId)).toHaveLength(2);
});
