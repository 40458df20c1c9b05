import { expect, test } from 'vitest';
import { withEmbedQuery } from '../../../helpers/models/embedding/with-embed-query.ts';
import { heldWriter } from '../../../helpers/models/held-writer.ts';
import { openStreamServer, question } from '../../../helpers/servers/open-stream-server.ts';
import { readEvents } from '../../../helpers/servers/questions/read-events.ts';

const writer = heldWriter({ deaf: true });
const embedding = {
  hold: false,
  reached: Promise.withResolvers<void>(),
  letGo: Promise.withResolvers<void>(),
};
const server = await openStreamServer({
  writer,
  alter: ({ embedder }) => ({
    embedder: withEmbedQuery(embedder, async (text) => {
      if (embedding.hold) {
        embedding.reached.resolve();
        await embedding.letGo.promise;
      }
      return embedder.embedQuery(text);
    }),
  }),
});

/** Disconnects at the frame with this token or stage and returns the stored messages. */
async function leaveAt(mark: string, fields: object = {}) {
  const stored = server.stores.stored();
  const response = await server.openUnread(fields);
  for await (const frame of readEvents(response)) if (frame.token === mark || frame.stage === mark) break;
  response.destroy();
  return stored;
}

// The writers here never end, so the stored messages were stored without waiting for them.

test('a client that disconnects stops the answer, and the partial answer is stored as cancelled', async () => {
  const { conversationId, messageId, answer } = await leaveAt('three ');
  expect(await server.messagesOf(conversationId)).toMatchObject([
    { role: 'user', content: question, ended: null },
    { id: messageId, role: 'assistant', content: 'Within three ', ended: 'cancelled' },
  ]);
  expect(answer.tokensUsed).toBe(4);
});

test('the writer is aborted and closed before it is asked for more', async () => {
  await leaveAt('three ');
  expect(writer.tasks.at(-1)?.signal.aborted).toBe(true);
  writer.letGo();
  await expect(writer.closed).resolves.toBeUndefined();
});

test('a cancelled answer counts as a message', async () => {
  const before = await server.messagesCounted();
  await leaveAt('three ');
  expect(await server.messagesCounted()).toBe(before + 1);
});

test('disconnecting during the search stores a question without an answer and stops the work', async () => {
  const before = { counted: await server.messagesCounted(), tasks: writer.tasks.length };
  embedding.hold = true;
  const { conversationId } = await leaveAt('searching');
  await embedding.reached.promise;
  embedding.hold = false;
  embedding.letGo.resolve();
  expect(await server.messagesOf(conversationId)).toMatchObject([
    { content: question },
    { content: '', ended: 'cancelled' },
  ]);
  expect(await server.messagesCounted()).toBe(before.counted + 1);
  expect(writer.tasks).toHaveLength(before.tasks);
});

test('disconnecting before the first frame stores and counts a valid question', async () => {
  const { conversationId } = await leaveAt('three ');
  const counted = await server.messagesCounted();
  const [reached, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.stores.recalling = async () => {
    reached.resolve();
    await letGo.promise;
  };
  const closed = new Promise((resolve) =>
    server.app.server.once('connection', (socket) => socket.once('close', resolve)),
  );
  const stored = server.stores.stored();
  const impatient = new AbortController();
  const left = server.post(
    { conversation_id: conversationId },
    {
      signal: impatient.signal,
      headers: {
        authorization: `Bearer ${server.workspace.key}`,
        'content-type': 'application/json',
        connection: 'close',
      },
    },
  );
  await reached.promise;
  impatient.abort();
  await expect(left).rejects.toThrow();
  await closed;
  letGo.resolve();
  expect(await stored).toMatchObject({ conversationId, answer: { text: '' }, ended: 'cancelled' });
  expect(await server.messagesCounted()).toBe(counted + 1);
});

test('a disconnected client is no longer in flight', async () => {
  await leaveAt('three ');
  const { body } = await server.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${server.runtime.installation.adminToken}` },
  });
  expect(body).toMatch(/^http_requests_in_flight 1$/m);
  expect(body).toContain('route="/v1/query/stream",status="499"');
});
