import { expect, test } from 'vitest';
import type { Runtime } from '../../../../core/runtime/runtime.ts';
import { start } from '../../../../server/main.ts';
import { type HeldWriter, heldWriter } from '../../../helpers/models/held-writer.ts';
import { openStreamServer, question } from '../../../helpers/servers/open-stream-server.ts';
import { type Frame, readEvents, textOf } from '../../../helpers/servers/questions/read-events.ts';

const { runtime, workspace, messagesCounted } = await openStreamServer();

/** A separate server with a stream that waits in its writer. */
async function inMidAnswer(writer: HeldWriter, config: Partial<Runtime['config']> = {}) {
  const server = await start({ ...runtime, writer, config: { ...runtime.config, ...config } });
  const response = await fetch(`${server.address}/v1/query/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: question }),
  });
  if (response.body === null) throw new TypeError('no body');
  const events = readEvents(response.body);
  const frames: Frame[] = [];
  for (let at = await events.next(); at.value; at = await events.next()) {
    frames.push(at.value);
    if (at.value.token === 'three ') break;
  }
  return {
    server,
    async toTheEnd() {
      for await (const frame of events) frames.push(frame);
      return frames;
    },
  };
}

test('a running stream may end when the server stops', async () => {
  const writer = heldWriter();
  const { server, toTheEnd } = await inMidAnswer(writer);
  const stopped = server.stop();
  writer.letGo();
  const frames = await toTheEnd();
  await stopped;
  expect(textOf(frames)).toBe('Within three days.');
  expect(frames.at(-1)).toMatchObject({ done: true, conversation_id: expect.any(String) });
});

test('a stream that does not end in time gets the reason and is not stored', async () => {
  const stored = await runtime.database.kysely.selectFrom('message').select('id').execute();
  const { server, toTheEnd } = await inMidAnswer(heldWriter({ deaf: true }), { SHUTDOWN_SECONDS: 0.05 });
  const counted = await messagesCounted();
  await server.stop();
  expect((await toTheEnd()).at(-1)).toMatchObject({ done: true, code: 'deploying' });
  expect(await messagesCounted()).toBe(counted - 1);
  expect(await runtime.database.kysely.selectFrom('message').select('id').execute()).toEqual(stored);
});
