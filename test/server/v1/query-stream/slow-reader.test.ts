import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { openStreamServer } from '../../../helpers/servers/open-stream-server.ts';
import { readEvents, textOf } from '../../../helpers/servers/questions/read-events.ts';

const piece = 'x'.repeat(64 * 1024);
/** The buffers of a connection at both ends, with a margin. */
const onTheWay = 48 * 1024 * 1024;
/** Much more than that, but no more than this process can hold. */
const endless = 4_096;
/** More than a connection buffers, and small enough for a database that many tests share. */
const slowly = 60;
const written = { pieces: 0, most: endless };

const writer: AnswerWriter = {
  async *write() {
    for (written.pieces = 0; written.pieces < written.most; written.pieces += 1) {
      await nextTurn();
      yield { text: piece };
    }
  },
};
const server = await openStreamServer({ app: { streamTimeoutMs: 1_500 }, writer });
const patient = await openStreamServer({ writer });

/** The server's end of the next connection. */
const nextConnection = async (): Promise<Socket> => (await once(server.app.server, 'connection'))[0];

test('a client that reads nothing pauses the writer, and is disconnected at the timeout', async () => {
  const connection = nextConnection();
  const stored = server.stores.stored();
  const response = await server.openUnread();
  const { answer, ended } = await stored;
  expect(ended).toBe('timeout');
  expect(written.pieces * piece.length).toBeLessThan(onTheWay);
  expect(answer.text.length).toBeLessThan(onTheWay);
  const socket = await connection;
  expect(socket.writableLength).toBeLessThan(2 * piece.length);
  if (!socket.destroyed) await once(socket, 'close');
  response.resume();
  await expect(once(response, 'end')).rejects.toThrow('aborted');
});

test('a slow client receives everything', async () => {
  written.most = slowly;
  const response = await patient.openUnread();
  const frames = [];
  for await (const frame of readEvents(response)) {
    await nextTurn();
    frames.push(frame);
  }
  expect(textOf(frames)).toHaveLength(slowly * piece.length);
  expect({ code: null, ...frames.at(-1) }).toMatchObject({ code: null, done: true, token: '' });
});
