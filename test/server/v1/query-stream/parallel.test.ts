import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStreamServer, question } from '../../../helpers/servers/open-stream-server.ts';
import { textOf } from '../../../helpers/servers/questions/read-events.ts';

const streams = 50;
const begun = { count: 0, all: Promise.withResolvers<void>() };

const server = await openStreamServer({
  writer: {
    /** Repeats the question word by word; no answer ends before all have started. */
    async *write(task) {
      begun.count += 1;
      if (begun.count === streams) begun.all.resolve();
      yield { text: 'You asked: ' };
      await begun.all.promise;
      for (const word of task.question.split(' ')) {
        await nextTurn();
        yield { text: `${word} ` };
      }
    },
  },
});

test('each of fifty concurrent streams of one key carries only its own answer', async () => {
  const asked = Array.from({ length: streams }, (_, index) => `${question} I am number ${index}.`);
  const all = await Promise.all(asked.map((query) => server.frames({ query })));
  for (const [index, frames] of all.entries()) {
    const own = `You asked: ${asked[index]} `;
    expect(textOf(frames)).toBe(own);
    const messages = await server.messagesOf(String(frames.at(-1)?.conversation_id));
    expect(messages.map(({ content }) => content)).toEqual([asked[index], own]);
  }
  expect(new Set(all.map((frames) => frames.at(-1)?.message_id)).size).toBe(streams);
});
